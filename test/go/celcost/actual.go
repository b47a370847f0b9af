package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// question is a value, and the schema whose rules are evaluated for it.
type question struct {
	Schema *v1.JSONSchemaProps `json:"schema"`
	Value  any                 `json:"value"`
}

// spending is what the evaluation cost, without any limit, and what is said of it with those of the API server.
type spending struct {
	Actual string   `json:"actual,omitempty"`
	Errors []string `json:"errors"`
	Error  string   `json:"error,omitempty"`
}

func spent(line []byte) (s spending) {
	defer func() {
		if r := recover(); r != nil {
			s = spending{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	asked := question{}
	if err := json.Unmarshal(line, &asked); err != nil {
		return spending{Error: err.Error()}
	}
	asked.Value = withIntegers(asked.Value)
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(asked.Schema, internal, nil); err != nil {
		return spending{Error: err.Error()}
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		return spending{Error: err.Error()}
	}
	s.Errors = []string{}
	unlimited := cel.NewValidator(structural, false, math.MaxInt64)
	_, left := unlimited.Validate(context.Background(), nil, structural, asked.Value, nil, math.MaxInt64)
	s.Actual = text(uint64(math.MaxInt64 - left))
	limited := cel.NewValidator(structural, false, celconfig.PerCallLimit)
	found, _ := limited.Validate(context.Background(), nil, structural, asked.Value, nil, celconfig.RuntimeCELCostBudget)
	for _, err := range found {
		s.Errors = append(s.Errors, err.Error())
	}
	return s
}

// withIntegers gives whole numbers the type that the API server reads them as.
func withIntegers(value any) any {
	switch v := value.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = withIntegers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = withIntegers(v[key])
		}
	}
	return value
}
