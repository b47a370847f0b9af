import type { KubeObject } from '../../../kube/object.ts';
import { normalizeContent, type Content } from '../../../operator/stored/content.ts';
import { digestOf } from '../../../operator/stored/digest.ts';

const apiVersions = {
  Namespace: 'v1',
  ResourceQuota: 'v1',
  LimitRange: 'v1',
  ServiceAccount: 'v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
};

/** A kind of which tenants consist. */
export type ComparedKind = keyof typeof apiVersions;

/** An object of a tenant with what it says. */
export function objectOf(kind: ComparedKind, fields: object): KubeObject {
  return {
    apiVersion: apiVersions[kind],
    kind,
    metadata: { name: 'one', namespace: 'shop' },
    ...fields,
  };
}

/** What such an object says. */
export function buildContent(kind: ComparedKind, fields: object): Content {
  const content = normalizeContent(objectOf(kind, fields));
  if (!content) throw new Error(`${kind} is not compared`);
  return content;
}

/** Whether two objects of a kind mean the same. */
export function isSame(kind: ComparedKind, one: object, other: object): boolean {
  return digestOf(buildContent(kind, one)) === digestOf(buildContent(kind, other));
}
