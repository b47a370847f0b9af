import type { KubeObject } from '@tenantry/kube/object';
import { normalizeContent, type Content, digestContent } from '../../../operator/stored/content.ts';

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

/** A kind of a tenant's objects that is compared. */
export type ComparedKind = keyof typeof apiVersions;

/** Returns an object of a tenant with these fields. */
export function objectOf(kind: ComparedKind, fields: object): KubeObject {
  return {
    apiVersion: apiVersions[kind],
    kind,
    metadata: { name: 'one', namespace: 'shop' },
    ...fields,
  };
}

/** Returns the normalized content of such an object. */
export function buildContent(kind: ComparedKind, fields: object): Content {
  const content = normalizeContent(objectOf(kind, fields));
  if (!content) throw new Error(`${kind} is not compared`);
  return content;
}

/** Returns whether two objects of a kind have the same meaning. */
export function isSame(kind: ComparedKind, one: object, other: object): boolean {
  return digestContent(buildContent(kind, one)) === digestContent(buildContent(kind, other));
}
