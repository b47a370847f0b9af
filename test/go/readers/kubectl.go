package main

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/resource"
)

// kubectl reads as `kubectl apply -R -f <folder>` does, before it asks a server anything.
func kubectl(folder string) ([]*unstructured.Unstructured, error) {
	infos, err := resource.NewLocalBuilder().
		Unstructured().
		FilenameParam(false, &resource.FilenameOptions{Recursive: true, Filenames: []string{folder}}).
		Flatten().
		Do().
		Infos()
	if err != nil {
		return nil, err
	}
	objects := make([]*unstructured.Unstructured, 0, len(infos))
	for _, info := range infos {
		objects = append(objects, info.Object.(*unstructured.Unstructured))
	}
	return objects, nil
}
