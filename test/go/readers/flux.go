package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// flux reads as Flux 2.9 does: source-controller leaves files out of the archive, and
// kustomize-controller writes a kustomization where there is none, builds it, writes the result as
// YAML and reads that. The objects are those of the build: its YAML changes some texts (U+2028), and
// some it refuses to write (a tab before several lines), which stops the build. What it writes must
// stay the same objects.
func flux(folder string) ([]*unstructured.Unstructured, error) {
	if err := ignore(folder); err != nil {
		return nil, err
	}
	generator := kustomize.NewGenerator(folder, unstructured.Unstructured{Object: map[string]any{}})
	if _, err := generator.WriteFile(folder); err != nil {
		return nil, err
	}
	built, err := kustomize.SecureBuild(folder, folder, false)
	if err != nil {
		return nil, err
	}
	objects := []*unstructured.Unstructured{}
	for _, resource := range built.Resources() {
		var object map[string]any
		if err := resource.YNode().Decode(&object); err != nil {
			return nil, err
		}
		objects = append(objects, &unstructured.Unstructured{Object: object})
	}
	text, err := built.AsYaml()
	if err != nil {
		return objects, nil
	}
	applied, err := utils.ReadObjects(bytes.NewReader(text))
	if err == nil && identities(applied) != identities(objects) {
		return nil, fmt.Errorf("applies %s of %s", identities(applied), identities(objects))
	}
	return objects, nil
}

func identities(objects []*unstructured.Unstructured) string {
	names := []string{}
	for _, object := range objects {
		names = append(names, fmt.Sprintf("%s %s/%s", object.GroupVersionKind(), object.GetNamespace(), object.GetName()))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// ignore removes what source-controller leaves out.
func ignore(folder string) error {
	patterns, err := sourceignore.LoadIgnorePatterns(folder, nil)
	if err != nil {
		return err
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		relative := strings.TrimPrefix(path, folder+string(filepath.Separator))
		if !matcher.Match(strings.Split(relative, string(filepath.Separator)), entry.IsDir()) {
			return nil
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}
