// Command bundleparts answers what the libraries say that OLM's tools read a bundle with.
//
// Standard input is one JSON object a line, {"kind": "<kind>", "text": "<base64>"}; standard output is one
// line for each. For the kinds mail, url, image, version, tolerant, deployment and role it is
// {"error": "..."} where the text is none, {} where it is one. For documents it is {"first": ..., "typed": ...}, what is decoded of a file
// untyped, and then again after a seek to its start; values are written as in yamljson. For definition it
// is {"findings": [{"field": ..., "detail": ...}]}, what the API server says of the CustomResourceDefinition
// that is decoded then, but for schemas and status.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/mail"
	"net/url"
	"os"
	"strings"

	"github.com/blang/semver/v4"
	"github.com/distribution/reference"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

var scheme = runtime.NewScheme()

func init() { install.Install(scheme) }

type finding struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

type answer struct {
	Error    string    `json:"error,omitempty"`
	First    any       `json:"first,omitempty"`
	Typed    any       `json:"typed,omitempty"`
	Findings []finding `json:"findings,omitempty"`
}

func asError(err error) answer {
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{}
}

// listed writes values as lists, without keys.
func listed(value any) any {
	switch v := value.(type) {
	case map[string]any:
		list := []any{1}
		for key, item := range v {
			list = append(list, key, listed(item))
		}
		return list
	case []any:
		list := []any{0}
		for _, item := range v {
			list = append(list, listed(item))
		}
		return list
	default:
		return value
	}
}

// twice decodes a file untyped, and then again from its start by the same decoder.
func twice(text []byte, typed func(*unstructured.Unstructured) any) (*unstructured.Unstructured, error) {
	file, err := os.CreateTemp("", "bundle-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := file.Write(text); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	decoder := yaml.NewYAMLToJSONDecoder(file)
	first := &unstructured.Unstructured{}
	if err := decoder.Decode(first); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return first, decoder.Decode(typed(first))
}

func documents(text []byte) answer {
	second := map[string]any{}
	first, err := twice(text, func(*unstructured.Unstructured) any { return &second })
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{First: listed(first.Object), Typed: listed(second)}
}

func definition(text []byte) answer {
	beta, current := &v1beta1.CustomResourceDefinition{}, &v1.CustomResourceDefinition{}
	isBeta := false
	_, err := twice(text, func(first *unstructured.Unstructured) any {
		isBeta = first.GetAPIVersion() == v1beta1.SchemeGroupVersion.String()
		if isBeta {
			return beta
		}
		return current
	})
	if err != nil {
		return answer{Error: err.Error()}
	}
	internal := &apiextensions.CustomResourceDefinition{}
	if isBeta {
		v1beta1.SetObjectDefaults_CustomResourceDefinition(beta)
		err = scheme.Converter().Convert(beta, internal, nil)
	} else {
		v1.SetObjectDefaults_CustomResourceDefinition(current)
		err = scheme.Converter().Convert(current, internal, nil)
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	a := answer{}
	for _, e := range validation.ValidateCustomResourceDefinition(context.Background(), internal) {
		if strings.Contains(e.Field, "openAPIV3Schema") || strings.Contains(e.Field, "status") {
			continue
		}
		a.Findings = append(a.Findings, finding{e.Field, e.Error()})
	}
	return a
}

func ask(kind string, text []byte) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	switch kind {
	case "mail":
		_, err := mail.ParseAddress(string(text))
		return asError(err)
	case "url":
		_, err := url.ParseRequestURI(string(text))
		return asError(err)
	case "image":
		_, err := reference.ParseNormalizedNamed(string(text))
		return asError(err)
	case "version":
		_, err := semver.Parse(string(text))
		return asError(err)
	case "tolerant":
		version, err := semver.ParseTolerant(string(text))
		return answer{Error: asError(err).Error, First: version.String()}
	case "documents":
		return documents(text)
	case "deployment":
		return asError(yaml.Unmarshal(text, &appsv1.Deployment{}))
	case "role":
		return asError(yaml.Unmarshal(text, &rbacv1.Role{}))
	case "definition":
		return definition(text)
	}
	return answer{Error: "no kind " + kind}
}

func run(in io.Reader, out io.Writer) error {
	lines, encoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), json.NewEncoder(out)
	for {
		var question struct {
			Kind string `json:"kind"`
			Text []byte `json:"text"`
		}
		if err := lines.Decode(&question); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(ask(question.Kind, bytes.Clone(question.Text))); err != nil {
			return err
		}
	}
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
