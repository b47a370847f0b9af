// Command readers answers what the readers between Git and a cluster find in a folder.
//
// Standard input is one JSON object a line, {"<path>": "<text>", ...}: the files of a folder.
// Standard output is one line for each: by the name of a reader {"objects": [...]}, in no order, or
// {"error": "<the reason>"}. Objects are written as in yamljson: a list is [0, items...], an object
// [1, key, value, ...].
//
// kubectl is the real builder of k8s.io/cli-runtime, without a server. Flux is the real default
// ignore list of its source-controller, the real kustomize as its kustomize-controller calls it, and
// its reader of what that gives; without decryption and substitution. Argo CD's repo-server is one
// package with everything around it, minutes to build: argocd.go makes its decisions with the
// libraries that it makes them with.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// reader gives the objects that it would apply from the files of a folder.
type reader func(folder string) ([]*unstructured.Unstructured, error)

var readers = map[string]reader{"argocd": argocd, "flux": flux, "kubectl": kubectl}

type answer struct {
	Objects []any  `json:"objects"`
	Error   string `json:"error,omitempty"`
}

func ask(read reader, files map[string]string) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	folder, err := os.MkdirTemp("", "readers-")
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	for path, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return answer{Error: err.Error()}
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return answer{Error: err.Error()}
		}
	}
	objects, err := read(folder)
	if err != nil {
		return answer{Error: strings.ReplaceAll(err.Error(), folder, "")}
	}
	for _, object := range objects {
		a.Objects = append(a.Objects, listed(object.Object))
	}
	return a
}

// listed writes objects as lists, without keys.
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

func run(in io.Reader, out io.Writer) error {
	lines, writer := json.NewDecoder(in), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(writer)
	for {
		var files map[string]string
		if err := lines.Decode(&files); err == io.EOF {
			return writer.Flush()
		} else if err != nil {
			return err
		}
		answers := map[string]answer{}
		for name, read := range readers {
			answers[name] = ask(read, files)
		}
		if err := encoder.Encode(answers); err != nil {
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
