package operator

import (
	"errors"
	"fmt"
)

// unserved are the kinds that a definition can declare and that this runtime does not run. Whatever runs one of them takes it out.
const unserved = OnEvent | OnDaemon | OnTimer | OnIndex | OnProbe

// kindNames are the kinds as markers spell them, for errors.
var kindNames = map[Kind]string{
	OnStartup: "startup", OnCleanup: "cleanup", OnCreate: "create", OnUpdate: "update", OnDelete: "delete", OnResume: "resume", OnField: "field",
	OnEvent: "event", OnDaemon: "daemon", OnTimer: "timer", OnIndex: "index", OnLogin: "login", OnProbe: "probe", OnBackground: "background",
}

// served refuses a definition with handlers that would never be called, since an operator that silently leaves out part of its work is worse
// than one that does not start.
func served(d Definition) error {
	var errs []error
	check := func(id string, on Kind) {
		if missing := on & unserved; missing != 0 {
			errs = append(errs, fmt.Errorf("handler %q: this version does not run handlers of kind %s yet", id, kindNames[missing]))
		}
	}
	for _, a := range d.Activities {
		check(a.ID, a.On)
	}
	for _, r := range d.Resources {
		for _, h := range r.Handlers {
			check(h.ID, h.On)
		}
	}
	return errors.Join(errs...)
}
