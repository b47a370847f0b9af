package main

import (
	"fmt"
	"log"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// settle lets Kubernetes' own library say what each selector selects, since cyclonus holds NotIn to
// need the key: whatever is selected gets a label of its own, and the selector asks for that label.
func (w *World) settle() {
	pods := settler{name: "pods", labelled: make([]*map[string]string, len(w.Ends))}
	namespaces := settler{name: "namespaces", labelled: make([]*map[string]string, len(w.Ends))}
	for i := range w.Ends {
		pods.labelled[i] = &w.Ends[i].Labels
		namespaces.labelled[i] = &w.Ends[i].NamespaceLabels
	}
	pods.begin()
	namespaces.begin()
	for _, policy := range w.Policies {
		policy.Spec.PodSelector = *pods.settled(&policy.Spec.PodSelector)
		for _, rule := range policy.Spec.Ingress {
			settlePeers(rule.From, &pods, &namespaces)
		}
		for _, rule := range policy.Spec.Egress {
			settlePeers(rule.To, &pods, &namespaces)
		}
	}
	pods.end()
	namespaces.end()
}

func settlePeers(peers []networkingv1.NetworkPolicyPeer, pods, namespaces *settler) {
	for i := range peers {
		peers[i].PodSelector = pods.settled(peers[i].PodSelector)
		peers[i].NamespaceSelector = namespaces.settled(peers[i].NamespaceSelector)
	}
}

type settler struct {
	name     string
	labelled []*map[string]string
	selected []map[string]string
	count    int
}

func (s *settler) begin() {
	for range s.labelled {
		s.selected = append(s.selected, map[string]string{})
	}
}

func (s *settler) settled(selector *metav1.LabelSelector) *metav1.LabelSelector {
	if selector == nil {
		return nil
	}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		log.Fatal(err)
	}
	s.count++
	key := fmt.Sprintf("%s-%d", s.name, s.count)
	for i, labelled := range s.labelled {
		if parsed.Matches(labels.Set(*labelled)) {
			s.selected[i][key] = "selected"
		}
	}
	return &metav1.LabelSelector{MatchLabels: map[string]string{key: "selected"}}
}

func (s *settler) end() {
	for i, labelled := range s.labelled {
		*labelled = s.selected[i]
	}
}
