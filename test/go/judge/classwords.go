package main

import "slices"

// in are the layers that hold for namespaces of an environment.
func (class *classSpec) in(environment string) []layer {
	found := []layer{class.Defaults}
	for _, one := range class.Environments {
		if one.Name == environment {
			found = append(found, one)
		}
	}
	return found
}

func (class *classSpec) labels(environment, key, value string) bool {
	return slices.ContainsFunc(class.in(environment), func(one layer) bool { said, has := one.Labels[key]; return has && said == value })
}

func (class *classSpec) annotates(environment, key, value string) bool {
	return slices.ContainsFunc(class.in(environment), func(one layer) bool { said, has := one.Annotations[key]; return has && said == value })
}

// declares: the class itself puts an object of this name there, so it is the platform's.
func (class *classSpec) declares(o *object) map[string]any {
	for _, layer := range class.layers() {
		for _, one := range layer.Resources {
			metadata, _ := one.Manifest["metadata"].(map[string]any)
			if one.Manifest["apiVersion"] == o.APIVersion && one.Manifest["kind"] == o.Kind && metadata["name"] == o.meta.Name {
				return metadata
			}
		}
	}
	return nil
}

// puts: the class itself puts the label or annotation on the object.
func (class *classSpec) puts(o *object, key, value string) bool {
	metadata := class.declares(o)
	for _, field := range []string{"labels", "annotations"} {
		if said, _ := metadata[field].(map[string]any); said[key] == value {
			return true
		}
	}
	for _, layer := range class.layers() {
		for _, one := range layer.ServiceAccounts {
			if o.Kind == "ServiceAccount" && one.Name == o.meta.Name && (one.Labels[key] == value || one.Annotations[key] == value) {
				return true
			}
		}
	}
	return false
}
