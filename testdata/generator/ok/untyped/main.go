// Package main handles objects without Go types.
package main

//go:generate go tool kopfgen

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// +kopf:on=create,kind=CronTab,group=stable.example.com,version=v1
func Create(u *unstructured.Unstructured) error { return nil }

// +kopf:on=field,kind=CronTab,group=stable.example.com,version=v1,field=spec.size,new=3
func Field(old, new kopf.Raw, raw kopf.Raw, name string) (map[string]int, error) { return nil, nil }

// +kopf:on=delete,kind=CronTab,group=stable.example.com,version=v1,when=all
func Delete() {}

func all(raw kopf.Raw) bool { return true }
