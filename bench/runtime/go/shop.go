package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// Shop is the custom resource of the benchmark, as bench/runtime/shop.ts defines it.
type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShopSpec   `json:"spec"`
	Status ShopStatus `json:"status,omitempty"`
}

type ShopSpec struct {
	Replicas   int32       `json:"replicas"`
	Memory     string      `json:"memory"`
	Storage    string      `json:"storage"`
	Owner      string      `json:"owner"`
	Namespaces []string    `json:"namespaces"`
	Network    ShopNetwork `json:"network"`
}

type ShopNetwork struct {
	Isolation string      `json:"isolation"`
	AllowFrom []ShopGuest `json:"allowFrom"`
}

type ShopGuest struct {
	Tenant string `json:"tenant"`
}

type ShopStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// ShopList is what a list of Shops is.
type ShopList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Shop `json:"items"`
}

// DeepCopyObject is what controller-gen would write.
func (in *Shop) DeepCopyObject() runtime.Object {
	out := new(Shop)
	in.deepCopyInto(out)
	return out
}

func (in *Shop) deepCopyInto(out *Shop) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Namespaces = append([]string(nil), in.Spec.Namespaces...)
	out.Spec.Network.AllowFrom = append([]ShopGuest(nil), in.Spec.Network.AllowFrom...)
	out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
	for i := range in.Status.Conditions {
		in.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
	}
}

// DeepCopyObject is what controller-gen would write.
func (in *ShopList) DeepCopyObject() runtime.Object {
	out := new(ShopList)
	*out = *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Shop, len(in.Items))
	for i := range in.Items {
		in.Items[i].deepCopyInto(&out.Items[i])
	}
	return out
}

func addToScheme(s *runtime.Scheme) {
	s.AddKnownTypes(groupVersion, &Shop{}, &ShopList{})
	metav1.AddToGroupVersion(s, groupVersion)
}
