package handling

import kopf "github.com/kopfgen/kopfgen/runtime"

// Fill takes from the defaults what a policy leaves open.
func Fill(p, defaults kopf.Policy) kopf.Policy {
	if p.Retries == 0 {
		p.Retries = defaults.Retries
	}
	if p.Timeout == 0 {
		p.Timeout = defaults.Timeout
	}
	if p.Backoff == (kopf.Backoff{}) {
		p.Backoff = defaults.Backoff
	}
	if p.Errors == kopf.ErrorsDefault {
		p.Errors = defaults.Errors
	}
	return p
}
