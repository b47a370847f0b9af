package main

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// direction is one of the two that network policies know, with what the class says of it.
type direction struct {
	policyType networkingv1.PolicyType
	// most is the most open isolation (egress) that the class allows; empty is no bound.
	most    string
	ceiling reachCeiling
	trusted peers
}

// rule is one way that a policy opens; without peers it is open to all.
// https://kubernetes.io/docs/concepts/services-networking/network-policies/
type rule struct {
	object *object
	peers  peers
}

// reach holds the network policies of each namespace of the attacker against the ceilings. They add
// up: what one lets pass, passes. Policies apply to pods that they select; other pods are open.
func (c *court) reach() {
	all := c.strangers()
	for at, objects := range c.objects {
		t := c.tenantOf(at)
		network := t.class.Ceilings.Network
		on := c.world.platform.on(at.cluster)
		c.through(t, objects, all, direction{
			networkingv1.PolicyTypeIngress, network.Isolation, network.IngressFrom,
			slices.Concat(on.IngressControllers, on.Monitoring),
		})
		c.through(t, objects, all, direction{
			networkingv1.PolicyTypeEgress, network.Egress, network.EgressTo, on.DNS,
		})
	}
}

func (c *court) tenantOf(at place) *tenant {
	for _, one := range c.mine {
		if one.owns(at.namespace) {
			return one
		}
	}
	return &tenant{class: &classSpec{}}
}

func (c *court) through(t *tenant, objects []*object, all []map[string]string, way direction) {
	closed := way.most != "" && way.most != "Open"
	var rules []rule
	isolated := false
	for _, o := range objects {
		if o.Kind != "NetworkPolicy" || o.group() != networkingv1.GroupName {
			continue
		}
		var policy networkingv1.NetworkPolicy
		if err := o.into(&policy); err != nil {
			continue // c.metadata tells it
		}
		if !about(policy.Spec, way.policyType) {
			continue
		}
		// A pod without labels is taken by a selector that takes every pod, and by those that ask for
		// absence: then a label makes a pod free, so only the former count.
		if len(policy.Spec.PodSelector.MatchLabels)+len(policy.Spec.PodSelector.MatchExpressions) == 0 {
			isolated = true
		}
		if way.policyType == networkingv1.PolicyTypeIngress {
			for _, one := range policy.Spec.Ingress {
				rules = append(rules, rule{o, one.From})
			}
		} else {
			for _, one := range policy.Spec.Egress {
				rules = append(rules, rule{o, one.To})
			}
		}
	}
	if closed && !isolated && len(objects) > 0 {
		c.say("reach/open", objects[0].file, nil, fmt.Sprintf("no policy isolates all pods for %s, which the class bounds to %s", way.policyType, way.most))
	}
	c.peersOf(t, rules, all, way, closed)
}

func about(spec networkingv1.NetworkPolicySpec, asked networkingv1.PolicyType) bool {
	if len(spec.PolicyTypes) > 0 {
		return slices.Contains(spec.PolicyTypes, asked)
	}
	return asked == networkingv1.PolicyTypeIngress || len(spec.Egress) > 0
}

func (c *court) peersOf(t *tenant, rules []rule, all []map[string]string, way direction, closed bool) {
	anywhere := way.ceiling.Anywhere
	if anywhere == "" && closed {
		anywhere = "Deny"
	}
	var open, allowed []span
	for _, cidr := range way.ceiling.CIDRs {
		spans, _ := spansOf(cidr)
		allowed = append(allowed, spans...)
	}
	var widest *object
	for _, each := range rules {
		if len(each.peers) == 0 && (anywhere == "Deny" || way.ceiling.CIDRs != nil) {
			c.say("reach/anywhere", each.object.file, each.object, "a rule without peers is for everyone")
		}
		for _, peer := range each.peers {
			if slices.ContainsFunc(way.trusted, func(one networkingv1.NetworkPolicyPeer) bool { return reflect.DeepEqual(one, peer) }) {
				continue
			}
			if peer.NamespaceSelector != nil {
				c.namespacesOf(t, each.object, peer.NamespaceSelector, all, way, anywhere)
			}
			if peer.IPBlock == nil {
				continue
			}
			spans, err := addresses(peer.IPBlock, spansOf)
			if err != nil {
				c.say("reach/block", each.object.file, each.object, err.Error())
				continue
			}
			if left := subtract(spans, allowed); way.ceiling.CIDRs != nil && len(left) > 0 {
				c.say("reach/block", each.object.file, each.object, fmt.Sprintf("%s is not inside the blocks of the class", peer.IPBlock.CIDR))
			}
			written, _ := addresses(peer.IPBlock, asWritten)
			open, widest = append(open, written...), each.object
		}
	}
	if anywhere == "Deny" && way.ceiling.CIDRs == nil && isAnywhere(open) {
		c.say("reach/anywhere", widest.file, widest, "the blocks of all policies together are for half the world")
	}
}

func (c *court) namespacesOf(t *tenant, o *object, selector *metav1.LabelSelector, all []map[string]string, way direction, anywhere string) {
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		c.say("reach/selector", o.file, o, err.Error())
		return
	}
	if way.ceiling.OtherNamespaces == "Deny" {
		if one, can := t.foreign(selector); can {
			c.say("reach/foreign", o.file, o, fmt.Sprintf("it takes a namespace of others, such as %v", one))
			return
		}
	}
	// Whoever names namespaces of others knows whom; whoever takes one that nobody can know of, does not.
	unknown := slices.DeleteFunc(slices.Clone(all), func(one map[string]string) bool { return one[metav1NamespaceName] != stranger })
	if one := matchesSome(selector, unknown); one != nil && anywhere == "Deny" {
		c.say("reach/anywhere", o.file, o, fmt.Sprintf("it takes a namespace that nobody can have named: %v", one))
		return
	}
	if way.ceiling.OtherNamespaces == "Deny" {
		foreign := slices.DeleteFunc(slices.Clone(all), func(one map[string]string) bool { return t.owns(one[metav1NamespaceName]) })
		if one := matchesSome(selector, foreign); one != nil {
			c.say("reach/foreign", o.file, o, fmt.Sprintf("it takes the namespace of somebody else: %v", one))
		}
	}
}

// asWritten gives the addresses of a block, whatever they stand for.
func asWritten(cidr string) ([]span, error) {
	prefix, err := netip.ParsePrefix(cidr)
	return []span{spanOf(prefix)}, err
}

func addresses(block *networkingv1.IPBlock, spansOf func(string) ([]span, error)) ([]span, error) {
	spans, err := spansOf(block.CIDR)
	if err != nil {
		return nil, err
	}
	whole, _ := netip.ParsePrefix(block.CIDR)
	for _, cidr := range block.Except {
		except, err := netip.ParsePrefix(cidr)
		if err != nil {
			return nil, err
		}
		// Kubernetes refuses an exception outside of its block, of the other family for one.
		if !whole.Contains(except.Addr()) || except.Bits() <= whole.Bits() {
			return nil, fmt.Errorf("except %s is not inside %s", cidr, block.CIDR)
		}
		without, err := spansOf(cidr)
		if err != nil {
			return nil, err
		}
		spans = subtract(spans, without)
	}
	return spans, nil
}
