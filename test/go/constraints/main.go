// Says of rules in CEL what OLM says of those of an `olm.constraint`.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/operator-framework/api/pkg/constraints"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	environment := constraints.NewCelEnvironment()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var rule, verdict string
			if err := json.Unmarshal(line, &rule); err != nil {
				panic(err)
			}
			if _, err := environment.Validate(rule); err != nil {
				verdict = err.Error()
			}
			if err := out.Encode(verdict); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
