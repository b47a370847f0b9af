package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// declared is what tenants should have: a file each, of objects by kind and name. Namespaces are
// called as their tenants are.
type declared struct{ folder string }

func (d *declared) of(tenant string) (map[string]json.RawMessage, error) {
	text, err := os.ReadFile(filepath.Join(d.folder, tenant+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var objects map[string]json.RawMessage
	return objects, json.Unmarshal(text, &objects)
}

func (d *declared) object(tenant, key string) ([]byte, error) {
	objects, err := d.of(tenant)
	return objects[key], err
}

// tenant is what is known of one: which of its objects were compared, and are as they are declared.
type tenant struct {
	total int
	isAs  map[string]bool
}

// tenants gathers what was found of objects, and has statuses written where it changes.
type tenants struct {
	declared *declared
	told     chan<- event.GenericEvent

	mutex sync.Mutex
	known map[string]*tenant
}

func (t *tenants) compared(name, key string, isAs bool) {
	if t.note(name, key, isAs) {
		t.told <- event.GenericEvent{Object: &Tenant{ObjectMeta: metav1.ObjectMeta{Name: name}}}
	}
}

// note says whether that is news, and all of the tenant is known.
func (t *tenants) note(name, key string, isAs bool) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	one, isKnown := t.known[name]
	if !isKnown {
		objects, _ := t.declared.of(name)
		one = &tenant{total: len(objects), isAs: map[string]bool{}}
		t.known[name] = one
	}
	was, isSeen := one.isAs[key]
	one.isAs[key] = isAs
	return (!isSeen || was != isAs) && len(one.isAs) == one.total
}

// drifted is how many objects of a tenant differ, once all of them were compared.
func (t *tenants) drifted(name string) (drifted, total int, isKnown bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	one := t.known[name]
	if one == nil || len(one.isAs) < one.total {
		return 0, 0, false
	}
	for _, isAs := range one.isAs {
		if !isAs {
			drifted++
		}
	}
	return drifted, one.total, true
}

// statuses writes them.
type statuses struct {
	client.Client
	tenants *tenants
}

func (s *statuses) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	drifted, total, isKnown := s.tenants.drifted(request.Name)
	if !isKnown {
		return ctrl.Result{}, nil
	}
	var found Tenant
	if err := s.Get(ctx, request.NamespacedName, &found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := found.DeepCopyObject().(*Tenant)
	status := &found.Status
	status.ObservedGeneration = found.Generation
	status.Counts = &Counts{Namespaces: 1, Objects: total, DriftedObjects: drifted, DriftedFields: drifted}
	isReady, isDrifted, reason := metav1.ConditionTrue, metav1.ConditionFalse, "AsDeclared"
	if drifted > 0 {
		isReady, isDrifted, reason = metav1.ConditionFalse, metav1.ConditionTrue, "Drifted"
	}
	message := fmt.Sprintf("%d of %d objects differ", drifted, total)
	changed := say(status, "Ready", isReady, reason, message, found.Generation)
	changed = say(status, "Drifted", isDrifted, reason, message, found.Generation) || changed
	if !changed {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, s.Status().Patch(ctx, &found, client.MergeFrom(before))
}

func say(status *TenantStatus, is string, value metav1.ConditionStatus, reason, message string, generation int64) bool {
	return meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: is, Status: value, Reason: reason, Message: message, ObservedGeneration: generation,
	})
}
