// Says of file-based catalogs what operator-registry says of them, as `opm validate` does.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
)

// verdict is the error that the catalog has; empty for none.
func verdict(text string) string {
	config, err := declcfg.LoadReader(strings.NewReader(text))
	if err != nil {
		return err.Error()
	}
	if _, err := declcfg.ConvertToModel(*config); err != nil {
		return err.Error()
	}
	return ""
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var text string
			if err := json.Unmarshal(line, &text); err != nil {
				panic(err)
			}
			if err := out.Encode(verdict(text)); err != nil {
				panic(err)
			}
		}
		if err != nil {
			return
		}
	}
}
