package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/yaml"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/v3/common"
	argocd "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
)

// What one of the tests says: nothing where it holds. The patch is what Argo CD's server would send.
type said struct {
	Test  string          `json:"test"`
	Wrong string          `json:"wrong,omitempty"`
	Patch json.RawMessage `json:"patch,omitempty"`
}

type healthTests struct {
	Tests []struct {
		InputPath    string              `json:"inputPath"`
		HealthStatus health.HealthStatus `json:"healthStatus"`
	} `json:"tests"`
}

type actionTests struct {
	DiscoveryTests []struct {
		InputPath string                  `json:"inputPath"`
		Result    []argocd.ResourceAction `json:"result"`
	} `json:"discoveryTests"`
	ActionTests []struct {
		Action               string `json:"action"`
		InputPath            string `json:"inputPath"`
		ExpectedOutputPath   string `json:"expectedOutputPath"`
		ExpectedErrorMessage string `json:"expectedErrorMessage"`
	} `json:"actionTests"`
}

// Runs tests in the format of Argo CD's resource_customizations/, in a folder of that layout, with the
// scripts of a ConfigMap argocd-cm as Argo CD reads it, and without the standard libraries of Lua, as it
// runs scripts of users. Prints a line of JSON for each test.
func customizations(args []string) {
	if len(args) != 2 {
		fail("customizations must get the file of a ConfigMap and a folder of tests")
	}
	vm := lua.VM{ResourceOverrides: overridesOf(args[0])}
	print := json.NewEncoder(os.Stdout)
	must(filepath.WalkDir(args[1], func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		name, err := filepath.Rel(args[1], folder)
		if err != nil {
			return err
		}
		var all []said
		switch filepath.Base(path) {
		case "health_test.yaml":
			var tests healthTests
			read(path, &tests)
			all = tests.run(vm, folder)
		case "action_test.yaml":
			var tests actionTests
			read(path, &tests)
			all = tests.run(vm, folder)
		}
		for _, one := range all {
			one.Test = filepath.Join(name, one.Test)
			if err := print.Encode(one); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (tests healthTests) run(vm lua.VM, folder string) (all []said) {
	for _, test := range tests.Tests {
		one := said{Test: test.InputPath}
		got, err := healthOf(vm, objectIn(filepath.Join(folder, test.InputPath)))
		switch {
		case err != nil:
			one.Wrong = err.Error()
		case got == nil:
			one.Wrong = "there is no health script for it"
		case *got != test.HealthStatus:
			one.Wrong = fmt.Sprintf("must be %+v, got %+v", test.HealthStatus, *got)
		}
		all = append(all, one)
	}
	return all
}

func healthOf(vm lua.VM, object *unstructured.Unstructured) (*health.HealthStatus, error) {
	return health.GetResourceHealth(object, lua.ResourceHealthOverrides(vm.ResourceOverrides))
}

func (tests actionTests) run(vm lua.VM, folder string) (all []said) {
	for _, test := range tests.DiscoveryTests {
		one := said{Test: "discovery/" + test.InputPath}
		got, err := actionsOf(vm, objectIn(filepath.Join(folder, test.InputPath)))
		if err != nil {
			one.Wrong = err.Error()
		} else if want, have := sorted(test.Result), sorted(got); want != have {
			one.Wrong = fmt.Sprintf("must be %s, got %s", want, have)
		}
		all = append(all, one)
	}
	for _, test := range tests.ActionTests {
		one := said{Test: "actions/" + test.Action + "/" + test.InputPath}
		source := objectIn(filepath.Join(folder, test.InputPath))
		result, err := act(vm, source, test.Action)
		switch {
		case test.ExpectedErrorMessage != "":
			if got := fmt.Sprint(err); got != test.ExpectedErrorMessage {
				one.Wrong = fmt.Sprintf("must fail with %q, got %q", test.ExpectedErrorMessage, got)
			}
		case err != nil:
			one.Wrong = err.Error()
		default:
			one.Wrong = difference(objectIn(filepath.Join(folder, test.ExpectedOutputPath)), result)
			one.Patch = patch(source, result)
		}
		all = append(all, one)
	}
	return all
}

func actionsOf(vm lua.VM, object *unstructured.Unstructured) ([]argocd.ResourceAction, error) {
	scripts, err := vm.GetResourceActionDiscovery(object)
	if err != nil {
		return nil, err
	}
	return vm.ExecuteResourceActionDiscovery(object, scripts)
}

func act(vm lua.VM, source *unstructured.Unstructured, action string) (*unstructured.Unstructured, error) {
	definition, err := vm.GetResourceAction(source, action)
	if err != nil {
		return nil, err
	}
	impacted, err := vm.ExecuteResourceAction(source, definition.ActionLua, nil)
	if err != nil {
		return nil, err
	}
	if len(impacted) != 1 || impacted[0].K8SOperation != lua.PatchOperation {
		return nil, fmt.Errorf("must patch one object, got %+v", impacted)
	}
	return impacted[0].UnstructuredObj, nil
}

// As Argo CD's own tests compare: numbers come back from Lua as floats.
func difference(want, got *unstructured.Unstructured) string {
	found, err := diff.Diff(want, got)
	if err != nil {
		return err.Error()
	}
	if !found.Modified {
		return ""
	}
	return fmt.Sprintf("must give %s, got %s", encoded(want.Object), encoded(got.Object))
}

func patch(live, result *unstructured.Unstructured) json.RawMessage {
	made, err := jsonpatch.CreateMergePatch(encoded(live.Object), encoded(result.Object))
	must(err)
	return made
}

func overridesOf(file string) map[string]argocd.ResourceOverride {
	var config corev1.ConfigMap
	read(file, &config)
	if config.Name != common.ArgoCDConfigMapName {
		fail("the ConfigMap must be " + common.ArgoCDConfigMapName + ", got " + config.Name)
	}
	config.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd"}
	secret := corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Name:      common.ArgoCDSecretName,
		Namespace: config.Namespace,
		Labels:    config.Labels,
	}}
	client := fake.NewClientset(&config, &secret)
	manager := settings.NewSettingsManager(context.Background(), client, config.Namespace)
	overrides, err := manager.GetResourceOverrides()
	must(err)
	return overrides
}

func objectIn(file string) *unstructured.Unstructured {
	object := map[string]any{}
	read(file, &object)
	return &unstructured.Unstructured{Object: object}
}

func read(file string, into any) {
	text, err := os.ReadFile(file)
	must(err)
	must(yaml.Unmarshal(text, into))
}

func sorted(actions []argocd.ResourceAction) string {
	ordered := slices.Clone(actions)
	slices.SortFunc(ordered, func(a, b argocd.ResourceAction) int { return strings.Compare(a.Name, b.Name) })
	return string(encoded(ordered))
}

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		fail(err.Error())
	}
}
