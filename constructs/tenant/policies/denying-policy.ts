import type { KubeObject } from '../../../kube/object.ts';
import { addTenantryLabels } from '../../tenantry-labels.ts';
import { POLICY_ANNOTATIONS } from '../ownership.ts';

/** Builds a ValidatingAdmissionPolicy without parameters, and a binding of the same name that denies. */
export function buildDenyingPolicy(
  name: string,
  spec: Readonly<Record<string, unknown>>,
): readonly [policy: KubeObject, binding: KubeObject] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name, annotations: POLICY_ANNOTATIONS };
  return [
    addTenantryLabels({
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: { failurePolicy: 'Fail', ...spec },
    }),
    addTenantryLabels({
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Deny'] },
    }),
  ];
}
