package main

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sigs "sigs.k8s.io/yaml"
)

// declarations are what people wrote.
type declarations struct {
	tenants []*tenant
	classes map[string]*classSpec
	kinds   []kind
}

// crd notes the kind and scope that a CustomResourceDefinition declares.
func (d *declarations) crd(document []byte) error {
	var read struct {
		Spec struct {
			Group, Scope string
			Names        struct{ Kind string }
		}
	}
	err := sigs.Unmarshal(document, &read)
	d.kinds = append(d.kinds, kind{read.Spec.Group, read.Spec.Names.Kind, read.Spec.Scope})
	return err
}

// declarationsIn reads what people wrote, as kubectl would.
func declarationsIn(files texts) (*declarations, error) {
	found := &declarations{classes: map[string]*classSpec{}}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		documents, err := documentsOf(files[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, one := range documents {
			var head struct {
				metav1.TypeMeta
				Metadata metav1.ObjectMeta `json:"metadata"`
			}
			if err := sigs.Unmarshal(one, &head); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if head.Kind == "CustomResourceDefinition" {
				err = found.crd(one)
			} else if head.APIVersion != ours {
				continue
			}
			switch head.Kind {
			case "Tenant":
				made := &tenant{file: path, name: head.Metadata.Name, labels: head.Metadata.Labels}
				err = sigs.Unmarshal(one, &struct {
					Spec *tenantSpec `json:"spec"`
				}{&made.spec})
				if err == nil {
					err = sigs.Unmarshal(one, &made.whole)
				}
				found.tenants = append(found.tenants, made)
			case "TenantClass":
				made := &classSpec{}
				err = sigs.Unmarshal(one, &struct {
					Spec *classSpec `json:"spec"`
				}{made})
				if err == nil {
					err = sigs.Unmarshal(one, &made.whole)
				}
				found.classes[head.Metadata.Name] = made
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return found, nil
}
