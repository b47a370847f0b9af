package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "tenantry.dev", Version: "v1alpha1"}

// Tenant is as much of one as is needed to write its status.
type Tenant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status TenantStatus `json:"status,omitempty"`
}

type TenantStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Counts             *Counts            `json:"counts,omitempty"`
}

type Counts struct {
	Namespaces     int `json:"namespaces"`
	Objects        int `json:"objects"`
	DriftedObjects int `json:"driftedObjects"`
	DriftedFields  int `json:"driftedFields"`
	Undeclared     int `json:"undeclared"`
}

// TenantList is what a list of Tenants is.
type TenantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Tenant `json:"items"`
}

// DeepCopyObject is what controller-gen would write.
func (in *Tenant) DeepCopyObject() runtime.Object {
	out := new(Tenant)
	in.deepCopyInto(out)
	return out
}

func (in *Tenant) deepCopyInto(out *Tenant) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
	for i := range in.Status.Conditions {
		in.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
	}
	if in.Status.Counts != nil {
		counts := *in.Status.Counts
		out.Status.Counts = &counts
	}
}

// DeepCopyObject is what controller-gen would write.
func (in *TenantList) DeepCopyObject() runtime.Object {
	out := new(TenantList)
	*out = *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Tenant, len(in.Items))
	for i := range in.Items {
		in.Items[i].deepCopyInto(&out.Items[i])
	}
	return out
}

func addToScheme(s *runtime.Scheme) {
	s.AddKnownTypes(groupVersion, &Tenant{}, &TenantList{})
	metav1.AddToGroupVersion(s, groupVersion)
}
