package api

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// StatusOf returns what the server answered to the request that failed with err, and whether it answered at all.
func StatusOf(err error) (metav1.Status, bool) {
	var answered apierrors.APIStatus
	if !errors.As(err, &answered) {
		return metav1.Status{}, false
	}
	return answered.Status(), true
}

// Code returns the HTTP status of that answer, 0 if there is none.
func Code(err error) int {
	status, _ := StatusOf(err)
	return int(status.Code)
}
