package main

import (
	"context"
	"math/rand"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// objects compares the objects of one kind.
type objects struct {
	client.Client
	kind    string
	empty   func() client.Object
	tenants *tenants
	period  time.Duration

	mutex sync.Mutex
	seen  map[string]struct{}
}

func (o *objects) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	namespace := request.Namespace
	if namespace == "" {
		namespace = request.Name
	}
	key := o.kind + "/" + request.Name
	desired, err := o.tenants.declared.object(namespace, key)
	if err != nil || desired == nil {
		return ctrl.Result{}, err
	}
	isAs, err := o.isAsDeclared(ctx, request.NamespacedName, desired)
	if err != nil {
		return ctrl.Result{}, err
	}
	o.tenants.compared(namespace, key, isAs)
	return ctrl.Result{RequeueAfter: o.next(request.String())}, nil
}

func (o *objects) isAsDeclared(ctx context.Context, name types.NamespacedName, desired []byte) (bool, error) {
	live := o.empty()
	if err := o.Get(ctx, name, live); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	wanted := o.empty()
	wanted.SetName(name.Name)
	wanted.SetNamespace(name.Namespace)
	err := o.Patch(ctx, wanted, client.RawPatch(types.ApplyPatchType, desired),
		client.DryRunAll, client.ForceOwnership, client.FieldOwner("argocd-controller"))
	if err != nil {
		return false, err
	}
	for _, one := range []client.Object{live, wanted} {
		one.SetManagedFields(nil)
		one.SetResourceVersion("")
		one.SetGeneration(0)
		one.GetObjectKind().SetGroupVersionKind(live.GetObjectKind().GroupVersionKind())
	}
	return equality.Semantic.DeepEqual(live, wanted), nil
}

// next spreads the first round over a period, so that there is no storm in each.
func (o *objects) next(key string) time.Duration {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if _, isKnown := o.seen[key]; isKnown {
		return o.period
	}
	o.seen[key] = struct{}{}
	return time.Duration(rand.Int63n(int64(o.period)))
}
