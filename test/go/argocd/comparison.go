package main

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/common"
	argocd "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
)

// What is in Git, and what the API server has of it.
type pair struct {
	Config map[string]any `json:"config"`
	Live   map[string]any `json:"live"`
}

// What Argo CD makes of it: whether it is OutOfSync, or why the whole Application cannot be compared.
type compared struct {
	Modified  bool            `json:"modified"`
	Error     string          `json:"error"`
	Predicted json.RawMessage `json:"predicted"`
	Live      json.RawMessage `json:"live"`
}

// Compares pairs of objects, each a line of JSON of the input, as the controller does for an Application that
// syncs with ServerSideApply=true and says ServerSideDiff=false, by the schemas of a cluster and the settings of
// a ConfigMap argocd-cm. Prints a line of JSON for each.
func comparison(args []string) {
	if len(args) != 2 {
		fail("comparison must get the kubeconfig of a cluster, and the file of a ConfigMap argocd-cm")
	}
	overrides := overridesOf(args[1])
	config, err := clientcmd.BuildConfigFromFlags("", args[0])
	if err != nil {
		fail(err.Error())
	}
	kubectl := kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	_, parser, err := kubectl.LoadOpenAPISchema(config)
	if err != nil {
		fail(err.Error())
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<28)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var asked pair
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			fail(err.Error())
		}
		if err := out.Encode(compare(asked, parser, overrides)); err != nil {
			fail(err.Error())
		}
	}
	if err := in.Err(); err != nil {
		fail(err.Error())
	}
}

// As CompareAppState of argo-cd's controller/state.go.
func compare(asked pair, parser *managedfields.GvkParser, overrides map[string]argocd.ResourceOverride) compared {
	config, err := argodiff.NewDiffConfigBuilder().
		WithDiffSettings(nil, overrides, false, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(common.LabelKeyAppInstance, string(argocd.TrackingMethodAnnotation)).
		WithNoCache().
		WithGVKParser(parser).
		WithManager(common.ArgoCDSSAManager).
		WithServerSideDiff(false).
		WithStructuredMergeDiff(true).
		Build()
	if err != nil {
		return compared{Error: err.Error()}
	}
	live := &unstructured.Unstructured{Object: asked.Live}
	target := &unstructured.Unstructured{Object: asked.Config}
	said, err := argodiff.StateDiff(live, target, config)
	if err != nil {
		return compared{Error: err.Error()}
	}
	return compared{Modified: said.Modified, Predicted: said.PredictedLive, Live: said.NormalizedLive}
}
