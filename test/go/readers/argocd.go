package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/TomOnTime/utfutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

var (
	manifest = regexp.MustCompile(`\.(yaml|yml|json|jsonnet)$`)
	override = regexp.MustCompile(`^\.argocd-source(-.*)?\.yaml$`)
	marker   = []byte("+argocd:skip-file-rendering")
)

// argocd reads as the repo-server of Argo CD 3.5 does for a source of type Directory with recurse:
// reposerver/repository/repository.go and util/app/discovery/discovery.go.
func argocd(folder string) (objects []*unstructured.Unstructured, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := entry.Name()
		switch {
		case strings.HasSuffix(name, "Chart.yaml"):
			return errors.New("the folder is taken for a Helm chart")
		case name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization":
			return errors.New("the folder is taken for a kustomization")
		case override.MatchString(name):
			return errors.New("the source is overridden by the folder")
		case !manifest.MatchString(name):
			return nil
		case strings.HasSuffix(name, "json") || strings.HasSuffix(name, "jsonnet"):
			return errors.New("the file is a program, or a single object whatever it holds")
		}
		found, err := argocdFile(path)
		objects = append(objects, found...)
		return err
	})
	return objects, err
}

func argocdFile(path string) (objects []*unstructured.Unstructured, err error) {
	text, err := utfutil.ReadFile(path, utfutil.UTF8)
	if err != nil || bytes.Contains(text, marker) {
		return nil, err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		items, found := map[string]any(nil), false
		if object != nil {
			items = object.Object
			_, found = items["items"]
		}
		switch {
		case object == nil:
		case object.IsList():
			if err := object.EachListItem(func(item runtime.Object) error {
				objects = append(objects, item.(*unstructured.Unstructured))
				return nil
			}); err != nil {
				return nil, err
			}
		case found && items["items"] == nil && items["spec"] == nil && items["status"] == nil:
			// a list whose items are null
		default:
			objects = append(objects, object)
		}
	}
}
