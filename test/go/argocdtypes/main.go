// Says of each object on a line of the input what Argo CD's own types make of it: how they write it
// back, whether it is valid, what a project permits, and to whom.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type question struct {
	Kind   string          `json:"kind"`
	Object json.RawMessage `json:"object"`
	// What is asked of an AppProject.
	Repositories []string      `json:"repositories"`
	Destinations []destination `json:"destinations"`
	Kinds        []kind        `json:"kinds"`
	Requests     []request     `json:"requests"`
}

type destination struct {
	Server    string `json:"server"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

type kind struct {
	Group      string `json:"group"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Namespaced bool   `json:"namespaced"`
}

// What somebody who has logged in asks of Argo CD.
type request struct {
	User     string   `json:"user"`
	Groups   []string `json:"groups"`
	Resource string   `json:"resource"`
	Action   string   `json:"action"`
	Object   string   `json:"object"`
}

type answer struct {
	Written      any    `json:"written"`
	Error        string `json:"error"`
	Repositories []bool `json:"repositories"`
	Destinations []bool `json:"destinations"`
	Kinds        []bool `json:"kinds"`
	Requests     []bool `json:"requests"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<28)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := out.Encode(answerTo(asked)); err != nil {
			panic(err)
		}
	}
	if err := in.Err(); err != nil {
		panic(err)
	}
}

func answerTo(asked question) answer {
	switch asked.Kind {
	case "AppProject":
		return project(asked)
	case "Application":
		var read v1alpha1.Application
		if err := json.Unmarshal(asked.Object, &read); err != nil {
			return answer{Error: err.Error()}
		}
		normalize(&read.Spec)
		return answer{Written: read.Spec}
	case "ApplicationSet":
		var read v1alpha1.ApplicationSet
		if err := json.Unmarshal(asked.Object, &read); err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Written: read.Spec}
	default:
		panic(asked.Kind)
	}
}

func project(asked question) answer {
	var read v1alpha1.AppProject
	if err := json.Unmarshal(asked.Object, &read); err != nil {
		return answer{Error: err.Error()}
	}
	said := answer{Repositories: []bool{}, Destinations: []bool{}, Kinds: []bool{}, Requests: allowed(&read, asked.Requests)}
	for _, repository := range asked.Repositories {
		source := v1alpha1.ApplicationSource{RepoURL: repository}
		said.Repositories = append(said.Repositories, read.IsSourcePermitted(source))
	}
	for _, to := range asked.Destinations {
		cluster := &v1alpha1.Cluster{Server: to.Server, Name: to.Name}
		permitted, err := read.IsDestinationPermitted(cluster, to.Namespace, nil)
		if err != nil {
			panic(err)
		}
		said.Destinations = append(said.Destinations, permitted)
	}
	for _, one := range asked.Kinds {
		of := schema.GroupKind{Group: one.Group, Kind: one.Kind}
		said.Kinds = append(said.Kinds, read.IsGroupKindNamePermitted(of, one.Name, one.Namespaced))
	}
	said.Written = *read.Spec.DeepCopy()
	if err := read.ValidateProject(); err != nil {
		said.Error = err.Error()
	}
	return said
}

// As NormalizeApplicationSpec of argo-cd's util/argo, which the controller writes to the cluster.
func normalize(spec *v1alpha1.ApplicationSpec) {
	if spec.SyncPolicy.IsZero() {
		spec.SyncPolicy = nil
	}
	if spec.Source != nil {
		normalizeSource(spec.Source)
	}
	for i := range spec.Sources {
		normalizeSource(&spec.Sources[i])
	}
}

func normalizeSource(source *v1alpha1.ApplicationSource) {
	if source.Kustomize.IsZero() {
		source.Kustomize = nil
	}
	if source.Helm.IsZero() {
		source.Helm = nil
	}
	if source.Directory.IsZero() && (source.Directory == nil || source.Directory.Exclude+source.Directory.Include == "") {
		source.Directory = nil
	}
}
