// Command promlint answers what Prometheus reads from a page of metrics, and what `promtool check
// metrics` says of it: standard input is the page in the text format, standard output one JSON
// object,
//
//	{"samples": {"<series>": "<value>", ...}, "problems": ["<metric>: <what>", ...]}
//
// or {"error": "<why it is no such page>"}. A series is written name{label="value",...}, with its
// labels sorted; of a histogram those are the ones of _bucket, _sum and _count.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

type answer struct {
	Samples  map[string]string `json:"samples"`
	Problems []string          `json:"problems"`
}

func main() {
	if err := run(); err != nil {
		if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"error": err.Error()}); err != nil {
			panic(err)
		}
	}
}

func run() error {
	page, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	problems, err := promlint.New(bytes.NewReader(page)).Lint()
	if err != nil {
		return err
	}
	found := answer{Samples: map[string]string{}, Problems: []string{}}
	for _, problem := range problems {
		found.Problems = append(found.Problems, problem.Metric+": "+problem.Text)
	}
	if err := read(page, found.Samples); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// read does what a scrape does: families become samples, each with all its labels.
func read(page []byte, samples map[string]string) error {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(page))
	if err != nil {
		return err
	}
	for _, family := range families {
		vector, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{}, family)
		if err != nil {
			return err
		}
		for _, sample := range vector {
			name := sample.Metric.String()
			if _, exists := samples[name]; exists {
				return fmt.Errorf("%s must be there once", name)
			}
			samples[name] = sample.Value.String()
		}
	}
	return nil
}
