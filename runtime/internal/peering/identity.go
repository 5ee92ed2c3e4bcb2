package peering

import (
	"context"
	"math/rand/v2"
	"net"
	"os"
	"os/user"
	"strings"
	"time"
)

// randomLetters are those of Kopf, which has no g.
const randomLetters = "abcdefhijklmnopqrstuvwxyz0123456789"

// Identity returns the name by which a process appears to its peers, as in Kopf: $POD_ID, or user@host for a person who freezes and
// resumes operators, or user@host/start/random for an operator.
func Identity(manual bool) string {
	if pod, ok := os.LookupEnv("POD_ID"); ok {
		return pod
	}
	name := userName() + "@" + hostName()
	if manual {
		return name
	}
	return name + started(time.Now())
}

func started(now time.Time) string {
	suffix := []byte("/" + now.UTC().Format("20060102150405") + "/")
	for range 3 {
		suffix = append(suffix, randomLetters[rand.IntN(len(randomLetters))])
	}
	return string(suffix)
}

// userName returns who runs the process. In a container, there may be nobody of that number.
func userName() string {
	for _, variable := range []string{"LOGNAME", "USER", "LNAME", "USERNAME"} { // the order of Python's getpass
		if name := os.Getenv(variable); name != "" {
			return name
		}
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "unknown"
}

// lookupTime bounds the search for a better name of the machine.
const lookupTime = time.Second

// hostName returns the name of the machine that says most.
func hostName() string {
	plain, err := os.Hostname()
	if err != nil || plain == "" {
		plain = "localhost"
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	var names []string
	addresses, _ := net.DefaultResolver.LookupHost(ctx, plain)
	for _, address := range addresses {
		found, _ := net.DefaultResolver.LookupAddr(ctx, address)
		names = append(names, found...)
	}
	return describing(plain, names)
}

// describing picks the best of a machine's names: one with dots, or one that is not everybody's, rather than the plain one; never an
// address.
func describing(plain string, names []string) string {
	good := func(name string) bool {
		return !strings.HasSuffix(name, ".arpa") && net.ParseIP(name) == nil
	}
	better := ""
	for _, name := range names {
		name = strings.TrimSuffix(name, ".")
		switch {
		case !good(name):
		case strings.Contains(name, "."):
			return shortened(name)
		case name != "localhost" && better == "":
			better = name
		}
	}
	if better != "" {
		return shortened(better)
	}
	return shortened(plain)
}

// shortened cuts off suffixes that say nothing.
func shortened(host string) string {
	for {
		cut := strings.TrimSuffix(strings.TrimSuffix(host, ".local"), ".localdomain")
		if cut == host {
			return host
		}
		host = cut
	}
}
