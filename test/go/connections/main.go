// Says which connections NetworkPolicies allow, by the evaluator of cyclonus
// (https://github.com/mattfenwick/cyclonus), which shares no code with Tenantry. Each line of the
// input is a world: policies, ends and ports; each line of the output has a digit for every
// connection of it, 1 for allowed, by source, destination and port in the order of the input.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/mattfenwick/cyclonus/pkg/matcher"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// End is a pod, or an address outside of the cluster when it has no namespace.
type End struct {
	Namespace       string            `json:"namespace"`
	NamespaceLabels map[string]string `json:"namespaceLabels"`
	Labels          map[string]string `json:"labels"`
	Address         string            `json:"address"`
}

// Port is a port of the destination, with the name that its container gives it.
type Port struct {
	Port     int             `json:"port"`
	Name     string          `json:"name"`
	Protocol corev1.Protocol `json:"protocol"`
}

type World struct {
	Policies []*networkingv1.NetworkPolicy `json:"policies"`
	Ends     []End                         `json:"ends"`
	Ports    []Port                        `json:"ports"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<28)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for input.Scan() {
		var world World
		if err := json.Unmarshal(input.Bytes(), &world); err != nil {
			log.Fatal(err)
		}
		world.settle()
		output.WriteString(world.answer())
		output.WriteByte('\n')
	}
	if err := input.Err(); err != nil {
		log.Fatal(err)
	}
}

func (w World) answer() string {
	policy := matcher.BuildNetworkPolicies(false, w.Policies)
	answer := make([]byte, 0, len(w.Ends)*len(w.Ends)*len(w.Ports))
	for _, from := range w.Ends {
		for _, to := range w.Ends {
			for _, port := range w.Ports {
				said := policy.IsTrafficAllowed(&matcher.Traffic{
					Source: from.peer(), Destination: to.peer(),
					ResolvedPort: port.Port, ResolvedPortName: port.Name, Protocol: port.Protocol,
				})
				digit := byte('0')
				if said.IsAllowed() {
					digit = '1'
				}
				answer = append(answer, digit)
			}
		}
	}
	return string(answer)
}

func (e End) peer() *matcher.TrafficPeer {
	if e.Namespace == "" {
		return &matcher.TrafficPeer{IP: e.Address}
	}
	return &matcher.TrafficPeer{IP: e.Address, Internal: &matcher.InternalPeer{
		Namespace: e.Namespace, NamespaceLabels: e.NamespaceLabels, PodLabels: e.Labels,
	}}
}
