// Says by which proxy servers are reached, as programs in Go find it in their environment
// (golang.org/x/net/http/httpproxy, which net/http has a copy of). Each line of the input is a question;
// each line of the output is the address of the proxy, or nothing.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"

	"golang.org/x/net/http/httpproxy"
)

type Question struct {
	Server     string `json:"server"`
	HTTPProxy  string `json:"httpProxy"`
	HTTPSProxy string `json:"httpsProxy"`
	NoProxy    string `json:"noProxy"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<28)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for input.Scan() {
		var question Question
		if err := json.Unmarshal(input.Bytes(), &question); err != nil {
			log.Fatal(err)
		}
		server, err := url.Parse(question.Server)
		if err != nil {
			log.Fatal(err)
		}
		config := httpproxy.Config{
			HTTPProxy: question.HTTPProxy, HTTPSProxy: question.HTTPSProxy, NoProxy: question.NoProxy,
		}
		proxy, err := config.ProxyFunc()(server)
		if err != nil {
			log.Fatal(err)
		}
		if proxy == nil {
			fmt.Fprintln(output)
		} else {
			fmt.Fprintln(output, proxy)
		}
	}
	if err := input.Err(); err != nil {
		log.Fatal(err)
	}
}
