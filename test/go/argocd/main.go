// One program that is argocd-application-controller, argocd-repo-server,
// argocd-applicationset-controller, a redis in memory, tests of what Argo CD knows of kinds, or its
// comparison of objects, by the name it is started under.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alicebob/miniredis/v2"
	applications "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationsets "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	repositories "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/argoproj/argo-cd/v3/util/askpass"
	"github.com/spf13/cobra"
)

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "argocd-application-controller":
		run(applications.NewCommand())
	case "argocd-applicationset-controller":
		run(applicationsets.NewCommand())
	case "argocd-repo-server":
		// Not the /tmp of the machine, where another one may have its own.
		askpass.SocketPath = filepath.Join(os.TempDir(), "ask-pass.sock")
		run(repositories.NewCommand())
	case "redis":
		redis(os.Args[1:])
	case "customizations":
		customizations(os.Args[1:])
	case "comparison":
		comparison(os.Args[1:])
	default:
		fail(fmt.Sprintf("the program must be started as argocd-application-controller, "+
			"argocd-applicationset-controller, argocd-repo-server, redis, customizations or comparison, got %q", name))
	}
}

func run(command *cobra.Command) {
	if command.Execute() != nil {
		os.Exit(1)
	}
}

// Listens on the address that is its only argument, until it is told to end.
func redis(args []string) {
	if len(args) != 1 {
		fail("redis must get the address that it listens on")
	}
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(args[0]); err != nil {
		fail(err.Error())
	}
	fmt.Println(server.Addr())
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	<-end
	server.Close()
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
