package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	sigs "sigs.k8s.io/yaml"
)

// object is one document of a rendered file.
type object struct {
	file    string
	cluster string
	value   map[string]any
	json    []byte
	metav1.TypeMeta
	meta metav1.ObjectMeta
}

func (o *object) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %s/%s", o.Kind, o.meta.Namespace, o.meta.Name), "/")
}

func (o *object) group() string {
	if group, _, has := strings.Cut(o.APIVersion, "/"); has {
		return group
	}
	return ""
}

// into reads the object as Kubernetes' type, as the API server does under strict field validation: a
// field that the type lacks is an error, letter case counts.
func (o *object) into(typed any) error {
	strict, err := kjson.UnmarshalStrict(o.json, typed)
	return errors.Join(append(strict, err)...)
}

// documentsOf splits a file as kubectl and Argo CD do.
func documentsOf(text string) ([][]byte, error) {
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	var found [][]byte
	for {
		one, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if value, err := sigs.YAMLToJSON(one); err == nil && string(value) == "null" {
			continue
		}
		found = append(found, one)
	}
}

// What Argo CD looks for in the text of a file, wherever it stands, to leave the file out.
// https://argo-cd.readthedocs.io/en/stable/user-guide/skip_reconcile/
const skipMarker = "+argocd:skip-file-rendering"

var apiVersion = regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[0-9]+((alpha|beta)[0-9]+)?$`)
var kindName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// What a declared object may say of itself: anything else in the metadata is for the API server and
// controllers to say. `creationTimestamp: null` is not written either.
var metadataFields = map[string]bool{"name": true, "namespace": true, "labels": true, "annotations": true}

// read gives the objects of a file; what is none, or would be more than one to some reader, is told.
func (c *court) read(file, cluster string) []*object {
	text := c.after[file]
	if strings.Contains(text, skipMarker) {
		c.say("structure/skipped", file, nil, "the text holds "+skipMarker+": Argo CD leaves out the whole file")
	}
	documents, err := documentsOf(text)
	if err != nil {
		c.say("structure/unreadable", file, nil, err.Error())
		return nil
	}
	var found []*object
	for _, one := range documents {
		o := &object{file: file, cluster: cluster}
		written, err := sigs.YAMLToJSONStrict(one)
		o.json = written
		if err == nil {
			err = json.Unmarshal(written, &o.value)
		}
		if err == nil {
			err = json.Unmarshal(written, &o.TypeMeta)
		}
		if err == nil {
			err = json.Unmarshal(written, &struct {
				Metadata *metav1.ObjectMeta `json:"metadata"`
			}{&o.meta})
		}
		if err != nil || o.value == nil {
			c.say("structure/unreadable", file, nil, fmt.Sprintf("kubectl reads no object: %v", err))
			continue
		}
		c.shape(o)
		found = append(found, o)
	}
	return found
}

func (c *court) shape(o *object) {
	if !apiVersion.MatchString(o.APIVersion) || !kindName.MatchString(o.Kind) || o.meta.Name == "" {
		c.say("structure/no-object", o.file, o, fmt.Sprintf("apiVersion %q, kind %q, name %q", o.APIVersion, o.Kind, o.meta.Name))
	}
	// Argo CD and the unstructured reader of client-go take whatever has `items` for a list.
	if _, has := o.value["items"]; has {
		c.say("structure/list", o.file, o, "it has `items` at the top: Argo CD applies those instead")
	}
	if strings.HasSuffix(o.Kind, "List") {
		c.say("structure/list", o.file, o, "its kind is that of a list")
	}
	metadata, _ := o.value["metadata"].(map[string]any)
	for key := range metadata {
		if !metadataFields[key] && !(key == "finalizers" && projectFile.MatchString(o.file)) {
			c.say("structure/metadata", o.file, o, "metadata."+key+" is not for a declaration to say")
		}
	}
}
