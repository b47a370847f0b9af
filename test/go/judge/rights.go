package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// rights holds the roles and bindings of each namespace against what the class gives.
func (c *court) rights() {
	for at, objects := range c.objects {
		t := c.tenantOf(at)
		roles := map[string]bool{}
		for _, o := range objects {
			if o.group() != rbacv1.GroupName {
				continue
			}
			switch o.Kind {
			case "Role":
				var role rbacv1.Role
				if o.into(&role) == nil {
					roles[role.Name] = true
					c.role(t, o, role)
				}
			case "RoleBinding":
			default:
				c.say("rights/kind", o.file, o, "a tenant has Roles and RoleBindings")
			}
		}
		for _, o := range objects {
			var binding rbacv1.RoleBinding
			if o.group() == rbacv1.GroupName && o.Kind == "RoleBinding" && o.into(&binding) == nil {
				c.roleRef(t, o, binding.RoleRef, roles)
				for _, subject := range binding.Subjects {
					c.subject(t, o, subject)
				}
				c.alive(t, at.namespace, o, binding)
			}
		}
	}
}

// roleRef: a Role of the file, or a ClusterRole that the class allows.
func (c *court) roleRef(t *tenant, o *object, ref rbacv1.RoleRef, roles map[string]bool) {
	if ref.APIGroup != rbacv1.GroupName {
		c.say("rights/role", o.file, o, "it refers to the group "+ref.APIGroup)
	}
	if ref.Kind == "Role" {
		if !roles[ref.Name] {
			c.say("rights/role", o.file, o, "nothing declares the Role "+ref.Name)
		}
		return
	}
	allowed := t.class.clusterRoles()
	for _, layer := range t.class.layers() {
		for _, one := range layer.Access.ClusterRoles {
			allowed = append(allowed, one.Name)
		}
	}
	if ref.Kind != "ClusterRole" || !slices.Contains(allowed, ref.Name) {
		c.say("rights/role", o.file, o, "the class does not allow the "+ref.Kind+" "+ref.Name)
	}
	if ref.Name == "cluster-admin" || strings.HasPrefix(ref.Name, "system:") {
		c.say("rights/role", o.file, o, ref.Name+" is for nobody")
	}
}

// clusterRoles are those that the class allows tenants.
func (class *classSpec) clusterRoles() []string {
	allowed := slices.Clone(class.Allow.ClusterRoles)
	for _, pair := range [][2]string{{class.Roles.Admins, "admin"}, {class.Roles.Editors, "edit"}, {class.Roles.Viewers, "view"}} {
		if pair[0] != "" {
			allowed = append(allowed, pair[0])
		} else {
			allowed = append(allowed, pair[1])
		}
	}
	return allowed
}

// subject: people as they are authenticated; machines of the tenant's own namespaces, or those that
// the class names. Names that begin with system: are Kubernetes' own.
func (c *court) subject(t *tenant, o *object, subject rbacv1.Subject) {
	if t.class.gives(subject) || c.isSync(t, subject) {
		return
	}
	who := subject.Kind + " " + subject.Namespace + "/" + subject.Name
	switch subject.Kind {
	case rbacv1.UserKind, rbacv1.GroupKind:
		if subject.APIGroup != rbacv1.GroupName || subject.Namespace != "" || subject.Name == "" {
			c.say("rights/subject", o.file, o, "no subject of RBAC: "+who)
		}
		if strings.HasPrefix(subject.Name, "system:") {
			c.say("rights/subject", o.file, o, "Kubernetes' own: "+who)
		}
		if !isVisible(subject.Name) {
			c.say("rights/subject", o.file, o, fmt.Sprintf("not to be seen as what it is: %q", subject.Name))
		}
	case rbacv1.ServiceAccountKind:
		if subject.APIGroup != "" || subject.Name == "" {
			c.say("rights/subject", o.file, o, "no subject of RBAC: "+who)
		}
		if !t.mayBind(subject.Namespace, subject.Name) {
			c.say("rights/foreign", o.file, o, "the class does not allow "+who)
		}
	default:
		c.say("rights/subject", o.file, o, "no subject of RBAC: "+who)
	}
}

// gives says whether the class names a subject by itself.
func (class *classSpec) gives(subject rbacv1.Subject) bool {
	for _, layer := range class.layers() {
		for _, one := range layer.Access.all() {
			if subject.Kind == rbacv1.UserKind && slices.Contains(one.Users, subject.Name) ||
				subject.Kind == rbacv1.GroupKind && slices.Contains(one.Groups, subject.Name) {
				return true
			}
			for _, account := range one.ServiceAccounts {
				if subject.Kind == rbacv1.ServiceAccountKind && account.Namespace == subject.Namespace && account.Name == subject.Name {
					return true
				}
			}
		}
	}
	return false
}

// alive: who is suspended has no people but the class', who is retired has nobody.
func (c *court) alive(t *tenant, namespace string, o *object, binding rbacv1.RoleBinding) {
	life := t.namespaces()[namespace].lifecycle
	for _, subject := range binding.Subjects {
		if life == "Retired" || life == "Suspended" && c.isSync(t, subject) || life == "Suspended" && subject.Kind != rbacv1.ServiceAccountKind && !t.class.gives(subject) {
			c.say("rights/lifecycle", o.file, o, fmt.Sprintf("%s keeps access to a namespace that is %s", subject.Name, life))
		}
	}
}

// role: what people write into one is within the ceiling of the class, or within Kubernetes' admin.
func (c *court) role(t *tenant, o *object, role rbacv1.Role) {
	for _, preset := range t.class.Presets.Roles {
		if preset.Name != "" && reflect.DeepEqual(preset.Rules, role.Rules) {
			return
		}
	}
	for _, each := range role.Rules {
		if len(each.NonResourceURLs) > 0 || len(each.APIGroups) == 0 {
			c.say("rights/rule", o.file, o, "a rule of a namespace is about resources of groups")
		}
		for _, part := range validation.BreakdownRule(each) {
			group, resource, verb := part.APIGroups[0], part.Resources[0], part.Verbs[0]
			what := fmt.Sprintf("%s %s of %q", verb, resource, group)
			if group == "*" || strings.Contains(resource, "*") || verb == "*" {
				c.say("rights/wildcard", o.file, o, what)
			}
			if slices.Contains([]string{"bind", "escalate", "impersonate"}, verb) {
				c.say("rights/escalation", o.file, o, what)
			}
			if !gives(group, resource, verb) {
				continue
			}
			if guards(group, resource) && !slices.Contains(reading, verb) {
				c.say("rights/guarded", o.file, o, what)
			}
			if !t.class.covers(group, resource, verb) {
				c.say("rights/beyond", o.file, o, what+" is more than the class, or Kubernetes' admin, gives")
			}
		}
	}
}

// mayBind: a service account of the tenant's own namespaces, or one that the class names.
func (t *tenant) mayBind(namespace, name string) bool {
	allowed := t.owns(namespace)
	for _, one := range t.class.Allow.ServiceAccounts {
		allowed = allowed || one.Namespace == namespace && (one.Name == name || one.Name == "*" || one.Name == "")
	}
	return allowed
}

// Letters and signs that have no ink: they make a name look like another.
var inkless = []rune{0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x034f, 0x17b4, 0x17b5}

// isVisible: a name shows what it is. Headers, certificates and logs carry nothing else faithfully.
func isVisible(name string) bool {
	return name == strings.TrimSpace(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r) || slices.Contains(inkless, r) || unicode.Is(unicode.Variation_Selector, r)
	})
}
