// Command judge says what a rendered fleet gives to whom, knowing Kubernetes and nothing of Tenantry's
// rules. It reads the text of files with kubectl's parser, the objects in them with Kubernetes' own
// types, selectors and RBAC comparison, and holds them against what the platform and the class say.
//
// Standard input is one JSON request a line, standard output one JSON answer for each. A request
// with `before` sets a world: the files that the platform team and other tenants wrote, and what is
// rendered from them. A request with `after` asks for the verdicts on what is rendered when the files
// of `written` are there too.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// texts are files by their path.
type texts map[string]string

type request struct {
	World string `json:"world"`
	// Asks for what the judge takes for Kubernetes' roles for people.
	UserFacing bool `json:"userFacing"`
	// Of a world: platform file, what everyone else wrote, what is rendered of it.
	Platform string `json:"platform"`
	Others   texts  `json:"others"`
	Before   texts  `json:"before"`
	// Of a case: what the attacker wrote, what is rendered with it.
	Written texts `json:"written"`
	After   texts `json:"after"`
}

// verdict is one way in which a rendering breaks the promise.
type verdict struct {
	// Rule is `part/what`, stable.
	Rule    string `json:"rule"`
	File    string `json:"file"`
	Object  string `json:"object,omitempty"`
	Message string `json:"message"`
}

type answer struct {
	UserFacing any       `json:"userFacing,omitempty"`
	Verdicts   []verdict `json:"verdicts"`
	Error      string    `json:"error,omitempty"`
}

var worlds = map[string]*world{}

func answerTo(line []byte) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	if asked.UserFacing {
		return answer{UserFacing: userFacing}
	}
	if asked.Before != nil {
		made, err := newWorld(asked)
		if err != nil {
			return answer{Error: err.Error()}
		}
		worlds[asked.World] = made
		return answer{Verdicts: []verdict{}}
	}
	in := worlds[asked.World]
	if in == nil {
		return answer{Error: "unknown world " + asked.World}
	}
	return answer{Verdicts: judge(in, asked.Written, asked.After)}
}

func run(in io.Reader, out io.Writer) error {
	reader, writer := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(writer)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			if err := encoder.Encode(answerTo(line)); err != nil {
				return err
			}
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
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
