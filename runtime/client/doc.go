// Package client reads and writes objects other than the one that a handler is for, by their Go types:
//
//	pod, err := client.Get[corev1.Pod](ctx, c, namespace, "web")
//
// A handler takes the *Client as a parameter. What it does with it is read by kopfgen: from the types in the calls it knows which resources
// the operator needs which rights on, and writes them into the role; and it tells the client where the API keeps the objects of each type, so
// that the client asks the server nothing but what it is asked for.
//
// Children of the handled object are better served by package children, which adopts them; this package is for everything else. The
// functions are functions, not methods, because methods have no type parameters.
package client
