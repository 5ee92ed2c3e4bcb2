// Package login keeps an operator logged in whose credentials are made by functions of its author. It stands below package api: the
// configuration that it hands out sends every request with the newest credentials, and a request that the server answers with 401 waits for
// new ones and is sent once more. Nobody above notices, and streams that are open stay open.
//
// What client-go knows how to renew by itself, token files and exec plugins, needs nothing of this.
package login
