package main

import (
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
)

// adminName is the user that may do everything, and the name of its context in the kubeconfig.
const adminName = "admin"

// user is somebody whom the API server knows by a token.
type user struct {
	name   string
	groups []string
	token  string
}

// users collects the values of the --user flag; it implements pflag.Value.
type users []user

func (u *users) Type() string { return "name[:groups]" }

func (u *users) String() string {
	names := make([]string, len(*u))
	for i, one := range *u {
		names[i] = one.name
	}
	return strings.Join(names, " ")
}

// Set adds one user, given as "name" or as "name:group1,group2".
func (u *users) Set(text string) error {
	name, list, _ := strings.Cut(text, ":")
	switch {
	case name == "":
		return fmt.Errorf("%q names no user", text)
	case name == adminName:
		return fmt.Errorf("user %q exists already: it may do everything", adminName)
	case slices.ContainsFunc(*u, func(other user) bool { return other.name == name }):
		return fmt.Errorf("user %q is given twice", name)
	}
	var groups []string
	if list != "" {
		groups = strings.Split(list, ",")
	}
	if slices.Contains(groups, "") {
		return fmt.Errorf("%q has an empty group", text)
	}
	*u = append(*u, user{name: name, groups: groups})
	return nil
}

// withTokens returns the administrator and then the others, each with a fresh token.
func (u users) withTokens() []user {
	all := append([]user{{name: adminName, groups: []string{"system:masters"}}}, u...)
	for i := range all {
		all[i].token = rand.Text()
	}
	return all
}

// writeTokenFile writes the users in the form that kube-apiserver's --token-auth-file expects: token, name, uid, groups.
func writeTokenFile(path string, all []user) error {
	var text strings.Builder
	w := csv.NewWriter(&text)
	for _, one := range all {
		// Errors of a strings.Builder do not exist.
		_ = w.Write([]string{one.token, one.name, one.name, strings.Join(one.groups, ",")})
	}
	w.Flush()
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("write the tokens: %w", err)
	}
	return nil
}
