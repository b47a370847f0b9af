// Command celcost answers what the API server estimates that the CEL rules of a schema cost.
//
// Standard input is one JSON object a line, the schema of a version of a CustomResourceDefinition
// (apiextensions.k8s.io/v1). Standard output is one line for each: {"rules": [...]}, with the flag
// -refusals {"rules": [...], "refusals": [...], "unchanged": [...]}, or {"error": "<the reason>"}. A rule has its place, what one evaluation of it costs, how often it
// is evaluated, the product, and what its message costs, as decimal text, since they have 64 bits;
// what is not compiled has none of these. With the flag -values each line holds a schema and a value instead,
// and the answer is what evaluating the rules for the value costs: {"actual": "<cost>", "errors": [...]}. The refusals are those about costs, in the API server's
// words: of a new definition, and of one that takes the place of its like.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type ruleCost struct {
	Path    string `json:"path"`
	Once    string `json:"once,omitempty"`
	Times   string `json:"times,omitempty"`
	Total   string `json:"total,omitempty"`
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
}

type answer struct {
	Rules     []ruleCost `json:"rules"`
	Refusals  []string   `json:"refusals,omitempty"`
	Unchanged []string   `json:"unchanged,omitempty"`
	Error     string     `json:"error,omitempty"`
}

var environments = environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())

func text(n uint64) string { return strconv.FormatUint(n, 10) }

func product(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high > 0 {
		return ^uint64(0)
	}
	return low
}

// visit goes where the validation of the API server goes, in its own contexts.
func (a *answer) visit(schema *apiextensions.JSONSchemaProps, path *field.Path, at *validation.CELSchemaContext) error {
	if schema == nil {
		return nil
	}
	if len(schema.XValidations) > 0 {
		if err := a.rulesOf(schema, path.Child("x-kubernetes-validations"), at); err != nil {
			return err
		}
	}
	if schema.AdditionalProperties != nil {
		values := schema.AdditionalProperties.Schema
		if err := a.visit(values, path.Child("additionalProperties"), at.ChildAdditionalPropertiesContext(values)); err != nil {
			return err
		}
	}
	for name, property := range schema.Properties {
		if err := a.visit(&property, path.Child("properties").Key(name), at.ChildPropertyContext(&property, name)); err != nil {
			return err
		}
	}
	if schema.Items != nil {
		items := schema.Items.Schema
		return a.visit(items, path.Child("items"), at.ChildItemsContext(items))
	}
	return nil
}

func (a *answer) rulesOf(schema *apiextensions.JSONSchemaProps, path *field.Path, at *validation.CELSchemaContext) error {
	info, err := at.TypeInfo()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	results, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, environments, cel.NewExpressionsEnvLoader())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, result := range results {
		cost := ruleCost{Path: path.Index(i).String()}
		if result.Error != nil {
			cost.Error = result.Error.Detail
			a.Rules = append(a.Rules, cost)
			continue
		}
		times := result.MaxCardinality
		if at.MaxCardinality != nil {
			times = *at.MaxCardinality
		}
		cost.Once, cost.Times, cost.Total = text(result.MaxCost), text(times), text(product(result.MaxCost, times))
		if result.MessageExpressionError != nil {
			cost.Error = result.MessageExpressionError.Detail
		} else if schema.XValidations[i].MessageExpression != "" {
			cost.Message = text(result.MessageExpressionMaxCost)
		}
		a.Rules = append(a.Rules, cost)
	}
	return nil
}

// definitionOf is a definition of one version, as it is stored.
func definitionOf(schema *v1.JSONSchemaProps) (*apiextensions.CustomResourceDefinition, error) {
	definition := &v1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.com", ResourceVersion: "1"},
		Spec: v1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Names: v1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
			Scope: v1.NamespaceScoped,
			Versions: []v1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &v1.CustomResourceValidation{OpenAPIV3Schema: schema},
			}},
		},
		Status: v1.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	v1.SetDefaults_CustomResourceDefinition(definition)
	v1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	internal := &apiextensions.CustomResourceDefinition{}
	err := v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition, internal, nil)
	return internal, err
}

// costs keeps what is said of costs.
func costs(all field.ErrorList) []string {
	kept := []string{}
	for _, err := range all {
		if err.Type == field.ErrorTypeForbidden && strings.Contains(err.Detail, "cost") {
			kept = append(kept, err.Error())
		}
	}
	sort.Strings(kept)
	return kept
}

func estimate(line []byte, withRefusals bool) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	schema := &v1.JSONSchemaProps{}
	if err := json.Unmarshal(line, schema); err != nil {
		return answer{Error: err.Error()}
	}
	definition, err := definitionOf(schema)
	if err != nil {
		return answer{Error: err.Error()}
	}
	internal := definition.Spec.Validation.OpenAPIV3Schema
	a.Rules = []ruleCost{}
	if err := a.visit(internal, nil, validation.RootCELContext(internal)); err != nil {
		return answer{Error: err.Error()}
	}
	sort.Slice(a.Rules, func(i, j int) bool { return a.Rules[i].Path < a.Rules[j].Path })
	if !withRefusals {
		return a
	}
	created := definition.DeepCopy()
	created.ResourceVersion = ""
	a.Refusals = costs(validation.ValidateCustomResourceDefinition(context.Background(), created))
	a.Unchanged = costs(validation.ValidateCustomResourceDefinitionUpdate(context.Background(), definition, definition.DeepCopy()))
	return a
}

func run(in io.Reader, out io.Writer, answerTo func(line []byte) any) error {
	reader, writer := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(writer)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			if err := encoder.Encode(answerTo(line)); err != nil {
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
	withRefusals := flag.Bool("refusals", false, "say what is refused for its costs too")
	withValues := flag.Bool("values", false, "evaluate the rules, of lines that hold a schema and a value")
	flag.Parse()
	answerTo := func(line []byte) any { return estimate(line, *withRefusals) }
	if *withValues {
		answerTo = func(line []byte) any { return spent(line) }
	}
	if err := run(os.Stdin, os.Stdout, answerTo); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
