// Command yamljson answers what kubectl reads from YAML.
//
// Standard input is one JSON string a line, each a YAML document. Standard output is one line for
// each: {"value": <the JSON of sigs.k8s.io/yaml>}, or {"error": "<the reason>"}. In a value, a list
// is [0, items...] and an object is [1, key, value, key, value...]: JSON.parse of Node 24 confuses
// escaped keys ({"a":1,"\\":2} and then {"a":1,"\u0026":2}). Duplicate keys are errors, as they
// are for kubectl's strict validation.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

func read(line []byte) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	var text string
	if err := json.Unmarshal(line, &text); err != nil {
		return answer{Error: err.Error()}
	}
	converted, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: listed(value)}
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
	reader, writer := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(writer)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			if err := encoder.Encode(read(line)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return writer.Flush()
		}
		if err != nil {
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
