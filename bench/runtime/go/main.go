// Command runtime is the operator of bench/programs/operator.ts on controller-runtime: every Shop has
// a ConfigMap of its name, which says what the Shop says. It prints a line when it has reconciled as
// many Shops as OBJECTS says, and ends at SIGTERM.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type reconciler struct {
	client.Client
	scheme  *runtime.Scheme
	objects int

	mutex sync.Mutex
	seen  map[types.NamespacedName]struct{}
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var shop Shop
	if err := r.Get(ctx, request.NamespacedName, &shop); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.ensure(ctx, &shop); err != nil {
		return ctrl.Result{}, err
	}
	r.count(request.NamespacedName)
	return ctrl.Result{}, nil
}

func (r *reconciler) ensure(ctx context.Context, shop *Shop) error {
	data := map[string]string{
		"owner":    shop.Spec.Owner,
		"replicas": strconv.Itoa(int(shop.Spec.Replicas)),
	}
	var found corev1.ConfigMap
	err := r.Get(ctx, client.ObjectKeyFromObject(shop), &found)
	if err == nil {
		if maps.Equal(found.Data, data) {
			return nil
		}
		found.Data = data
		return r.Update(ctx, &found)
	}
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	created := corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: shop.Name, Namespace: shop.Namespace},
		Data:       data,
	}
	if err := controllerutil.SetControllerReference(shop, &created, r.scheme); err != nil {
		return err
	}
	return r.Create(ctx, &created)
}

// count says once that all have been reconciled.
func (r *reconciler) count(name types.NamespacedName) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.seen == nil {
		return
	}
	r.seen[name] = struct{}{}
	if len(r.seen) == r.objects {
		r.seen = nil
		fmt.Println("all reconciled")
	}
}

func number(variable string) int {
	value, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(fmt.Sprintf("%s must be a number, got %q", variable, os.Getenv(variable)))
	}
	return value
}

func run() error {
	ctrl.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	addToScheme(scheme)
	// GetConfig sets no limit of the rate.
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Shop{}).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: number("WORKERS")}).
		Complete(&reconciler{
			Client:  manager.GetClient(),
			scheme:  scheme,
			objects: number("OBJECTS"),
			seen:    map[types.NamespacedName]struct{}{},
		})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
