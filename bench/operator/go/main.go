// Command operator says of every Tenant whether the cluster is as it is declared, the way GitOps
// controllers do: each object is applied server-side as a dry run, and what the API server would store is
// compared with what there is. Every object once in PERIOD seconds, and whenever it changes.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// kinds are those that the tenants of Tenantry consist of.
var kinds = map[string]func() client.Object{
	"Namespace":           func() client.Object { return &corev1.Namespace{} },
	"ResourceQuota":       func() client.Object { return &corev1.ResourceQuota{} },
	"LimitRange":          func() client.Object { return &corev1.LimitRange{} },
	"ServiceAccount":      func() client.Object { return &corev1.ServiceAccount{} },
	"Role":                func() client.Object { return &rbacv1.Role{} },
	"RoleBinding":         func() client.Object { return &rbacv1.RoleBinding{} },
	"NetworkPolicy":       func() client.Object { return &networkingv1.NetworkPolicy{} },
	"PodDisruptionBudget": func() client.Object { return &policyv1.PodDisruptionBudget{} },
}

func number(variable string) int {
	value, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(fmt.Sprintf("%s must be a number, got %q", variable, os.Getenv(variable)))
	}
	return value
}

func schemeOf() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	addToScheme(scheme)
	return scheme, nil
}

func run() error {
	ctrl.SetLogger(zap.New())
	scheme, err := schemeOf()
	if err != nil {
		return err
	}
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
	options := controller.Options{MaxConcurrentReconciles: number("WORKERS")}
	told := make(chan event.GenericEvent, 1024)
	tenants := &tenants{
		declared: &declared{folder: os.Getenv("DESIRED")},
		told:     told,
		known:    map[string]*tenant{},
	}
	for kind, empty := range kinds {
		err := ctrl.NewControllerManagedBy(manager).
			Named("objects-" + kind).
			For(empty()).
			WithOptions(options).
			Complete(&objects{
				Client:  manager.GetClient(),
				kind:    kind,
				empty:   empty,
				tenants: tenants,
				period:  time.Duration(number("PERIOD")) * time.Second,
				seen:    map[string]struct{}{},
			})
		if err != nil {
			return err
		}
	}
	err = ctrl.NewControllerManagedBy(manager).
		Named("tenants").
		For(&Tenant{}).
		WatchesRawSource(source.Channel(told, &handler.EnqueueRequestForObject{})).
		WithOptions(options).
		Complete(&statuses{Client: manager.GetClient(), tenants: tenants})
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
