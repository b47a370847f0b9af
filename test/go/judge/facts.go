package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// facts judges what a Namespace tells the admission policies about its tenant: each line is a right of
// the tenant's people, so it must be one that the tenant declares or the class opens. What stands
// there too little is no right, but for names and labels, which take rights away.
func (c *court) facts() {
	for at, objects := range c.objects {
		for _, o := range objects {
			if o.isNamespace() && o.meta.Name == at.namespace {
				c.factsOf(at, c.tenantOf(at), o, objects)
			}
		}
	}
}

func (c *court) factsOf(at place, t *tenant, o *object, objects []*object) {
	own := t.class.SelfService
	life := t.namespaces()[at.namespace].lifecycle
	for key, text := range o.meta.Annotations {
		fact, is := strings.CutPrefix(key, facts)
		if !is {
			continue
		}
		lines := strings.Split(text, "\n")
		if !slices.IsSorted(lines) || slices.Contains(lines, "") {
			c.say("facts/form", o.file, o, fmt.Sprintf("%s is %q", fact, text))
		}
		for _, line := range lines {
			reason := ""
			switch fact {
			case "namespaces":
				if _, is := c.objects[place{at.cluster, line}]; !is || !t.owns(line) {
					reason = "it is no namespace of the tenant on the cluster"
				}
			case "subjects":
				reason = t.subjectFact(line, life)
			case "subject-patterns":
				reason = t.patternFact(line, life)
			case "cluster-roles":
				if !slices.Contains(t.class.clusterRoles(), line) || line == "cluster-admin" || strings.HasPrefix(line, "system:") {
					reason = "the class does not allow the ClusterRole"
				}
			case "ingress-from":
				reason = own.NetworkPolicies.IngressFrom.fact(line, objects, networkingv1.PolicyTypeIngress)
			case "egress-to":
				reason = own.NetworkPolicies.EgressTo.fact(line, objects, networkingv1.PolicyTypeEgress)
			case "external-ips":
				if !within(line, own.Services.ExternalIPs) {
					reason = "the class opens no such addresses"
				}
			case "external-names":
				if !slices.Contains(own.Services.ExternalNames, line) {
					reason = "the class opens no such names"
				}
			case "service-types":
				if !slices.Contains(own.Services.Types, corev1.ServiceType(line)) {
					reason = "the class opens no such type"
				}
			case "load-balancer-classes":
				if !slices.Contains(own.Services.LoadBalancerClasses, strings.TrimPrefix(line, "no class")) {
					reason = "the class opens no such load balancers"
				}
			case "token-seconds":
				if line != strconv.FormatInt(own.Tokens.MaxSeconds, 10) || own.Tokens.MaxSeconds == 0 {
					reason = "the class says another life"
				}
			case "tolerations":
				if !t.class.tolerates(line) {
					reason = "the class opens no such taint"
				}
			case "termination-seconds":
				if line != strconv.FormatInt(t.class.Ceilings.TerminationSeconds, 10) {
					reason = "the class says another time"
				}
			case "most-pods":
				if most, has := mostPods(c.quotaOf(objects)); life == "Active" && (!has || line != strconv.FormatInt(most, 10)) {
					reason = "the quota says another number"
				}
			case "names", "pod-labels": // Lines too many take rights away.
			default:
				reason = "there is no such fact"
			}
			if reason != "" {
				c.say("facts/"+fact, o.file, o, fmt.Sprintf("%q: %s", line, reason))
			}
		}
	}
	if _, has := mostPods(c.quotaOf(objects)); has && o.meta.Annotations[facts+"most-pods"] == "" {
		c.say("facts/most-pods", o.file, o, "the quota bounds pods, and people's budgets are not held to it")
	}
	if t.class.Ceilings.TerminationSeconds > 0 && o.meta.Annotations[facts+"termination-seconds"] == "" {
		c.say("facts/termination-seconds", o.file, o, "the class bounds how long a pod may take to end")
	}
	for fact, bounds := range map[string]bool{"service-types": own.Services.Types != nil, "load-balancer-classes": own.Services.LoadBalancerClasses != nil} {
		if bounds && o.meta.Annotations[facts+fact] == "" {
			c.say("facts/"+fact, o.file, o, "the class bounds Services, and people's are not held to it")
		}
	}
	c.namesFact(t, o, objects)
	c.podLabelsFact(o, objects)
	c.policyLabels(t, o)
}

// tolerates: the class opens the taint, with the value where it lists values.
func (class *classSpec) tolerates(line string) bool {
	key, value, hasValue := strings.Cut(line, "=")
	for _, one := range class.Allow.Tolerations {
		if one.Key == key && (hasValue && slices.Contains(one.Values, value) || !hasValue && one.Values == nil) {
			return true
		}
	}
	return false
}

// mostPods is the bound of live pods that a quota has.
func mostPods(hard quantities) (int64, bool) {
	most, found := int64(0), false
	for _, key := range []string{"pods", "count/pods"} {
		if value, has := hard[key]; has && (!found || value.Value() < most) {
			most, found = value.Value(), true
		}
	}
	return most, found
}

// subjectFact: people whom the tenant or its class names, and machines that it may bind. While a
// namespace is suspended, only people to whom the class gives a role there; when retired, nobody.
func (t *tenant) subjectFact(line, life string) string {
	kind, name, _ := strings.Cut(line, " ")
	if kind == rbacv1.ServiceAccountKind {
		in, of, _ := strings.Cut(name, "/")
		if life == "Retired" || !t.mayBind(in, of) && !t.class.gives(rbacv1.Subject{Kind: kind, Namespace: in, Name: of}) {
			return "nobody may bind the service account"
		}
		return ""
	}
	if strings.HasPrefix(name, "system:") || !isVisible(name) {
		return "it is nobody whom people bind"
	}
	given := t.class.gives(rbacv1.Subject{Kind: kind, Name: name})
	if life == "Retired" || life == "Suspended" && !given {
		return "the namespace is " + life
	}
	if !given && !slices.Contains(t.declared(kind), name) && !slices.Contains(t.class.SelfService.peopleOf(kind), name) {
		return "neither the tenant nor the class names it"
	}
	return ""
}

func (s selfService) peopleOf(kind string) []string {
	switch kind {
	case rbacv1.UserKind:
		return s.RoleBindings.Users
	case rbacv1.GroupKind:
		return s.RoleBindings.Groups
	}
	return nil
}

// patternFact: a pattern is the class' alone, and there is none that could take who was suspended.
func (t *tenant) patternFact(line, life string) string {
	kind, pattern, _ := strings.Cut(line, " ")
	if life == "Retired" {
		return "the namespace is Retired"
	}
	if strings.Count(pattern, "*") != 1 {
		return "it is no pattern"
	}
	if kind == rbacv1.ServiceAccountKind {
		in, of, _ := strings.Cut(pattern, "/")
		for _, one := range t.class.Allow.ServiceAccounts {
			if one.Namespace == in && of == "*" && (one.Name == "*" || one.Name == "") {
				return ""
			}
		}
		return "the class does not allow all accounts of the namespace"
	}
	if !slices.Contains(t.class.SelfService.peopleOf(kind), pattern) {
		return "the class has no such pattern"
	}
	if life == "Suspended" {
		return "it may take somebody who is suspended"
	}
	return ""
}

// declared are the people whom the tenant gives a role in some namespace that is in use. Who is
// suspended or retired with a namespace is not bound in another either.
func (t *tenant) declared(kind string) []string {
	all := t.spec.Access.all()
	for _, entry := range t.spec.Namespaces {
		if t.namespaces()[t.spec.NamespacePrefix+entry.Name].lifecycle == "Active" {
			all = append(all, entry.Access.all()...)
		}
	}
	var found []string
	for _, one := range all {
		switch kind {
		case rbacv1.UserKind:
			found = append(found, one.Users...)
		case rbacv1.GroupKind:
			found = append(found, one.Groups...)
		}
	}
	return found
}

// fact: what the class opens to people; everything where nothing of the platform closes the direction,
// since policies only add up.
func (way opened) fact(line string, objects []*object, direction networkingv1.PolicyType) string {
	kind, what, _ := strings.Cut(line, " ")
	switch {
	case line == "anywhere" && way.Anywhere != "Allow":
		for _, o := range objects {
			var policy networkingv1.NetworkPolicy
			if o.Kind == "NetworkPolicy" && o.group() == networkingv1.GroupName && o.into(&policy) == nil && about(policy.Spec, direction) {
				return "the policy " + policy.Name + " of the platform closes it"
			}
		}
	case line == "anywhere":
	case kind == "namespace" && !slices.Contains(way.Namespaces, what):
		return "the class does not open the namespace"
	case kind == "cidr" && !within(what, way.CIDRs):
		return "the class does not open the block"
	case kind != "namespace" && kind != "cidr":
		return "it is no word of this fact"
	}
	return ""
}

func within(cidr string, cidrs []string) bool {
	one, err := netip.ParsePrefix(cidr)
	return err == nil && slices.ContainsFunc(cidrs, func(each string) bool {
		wide, err := netip.ParsePrefix(each)
		return err == nil && wide.Bits() <= one.Bits() && wide.Contains(one.Addr())
	})
}

// namesFact: what the platform has in the namespace is not people's to make first.
func (c *court) namesFact(t *tenant, o *object, objects []*object) {
	if t.class.SelfService.Names.isDisabled() {
		return
	}
	lines := strings.Split(o.meta.Annotations[facts+"names"], "\n")
	for _, one := range objects {
		name := strings.TrimSuffix(one.Kind+"."+one.group(), ".") + " " + one.meta.Name
		if !one.isNamespace() && !slices.Contains(lines, name) {
			c.say("facts/names", o.file, o, name+" is the platform's, and people may make it first")
		}
	}
}

// Where the labels of pods stand in an object.
var podLabels = map[string][]string{
	"/Pod":                       {"metadata", "labels"},
	"/PodTemplate":               {"template", "metadata", "labels"},
	"/ReplicationController":     {"spec", "template", "metadata", "labels"},
	"apps/Deployment":            {"spec", "template", "metadata", "labels"},
	"apps/StatefulSet":           {"spec", "template", "metadata", "labels"},
	"apps/DaemonSet":             {"spec", "template", "metadata", "labels"},
	"apps/ReplicaSet":            {"spec", "template", "metadata", "labels"},
	"batch/Job":                  {"spec", "template", "metadata", "labels"},
	"batch/CronJob":              {"spec", "jobTemplate", "spec", "template", "metadata", "labels"},
	"policy/PodDisruptionBudget": {"spec", "selector", "matchLabels"},
}

// podLabelsFact: people select no pods by a budget that the platform declares, or has a budget for.
func (c *court) podLabelsFact(o *object, objects []*object) {
	lines := strings.Split(o.meta.Annotations[facts+"pod-labels"], "\n")
	for _, one := range objects {
		path, is := podLabels[one.group()+"/"+one.Kind]
		if !is {
			continue
		}
		labels, _, err := unstructured.NestedStringMap(one.value, path...)
		if err != nil || len(labels) == 0 {
			continue
		}
		var pairs []string
		for key, value := range labels {
			pairs = append(pairs, key+"="+value)
		}
		slices.Sort(pairs)
		if line := strings.Join(pairs, ","); !slices.Contains(lines, line) {
			c.say("facts/pod-labels", o.file, o, "people may make a budget for the pods of "+one.String())
		}
	}
}

// policyLabels: a policy is off where the class says so, and hardening is on.
func (c *court) policyLabels(t *tenant, o *object) {
	want := map[string]string{}
	for name, one := range t.class.SelfService.policies() {
		if one.isDisabled() {
			want[name] = "Disabled"
		}
	}
	for name, value := range map[string]string{
		"image-pull-policy": t.class.Hardening.ImagePullPolicy,
		"storage":           t.class.Hardening.Storage,
		"pod-defaults":      t.class.Hardening.PodDefaults,
	} {
		if value != "" {
			want[name] = value
		}
	}
	for key, value := range o.meta.Labels {
		if name, is := strings.CutPrefix(key, facts); is && want[name] != value {
			c.say("facts/policies", o.file, o, fmt.Sprintf("the class does not say %s: %s", key, value))
		}
	}
	for name, value := range want {
		if o.meta.Labels[facts+name] != value {
			c.say("facts/policies", o.file, o, fmt.Sprintf("the class says %s: %s", name, value))
		}
	}
}
