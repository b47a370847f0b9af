import { expect } from '@jest/globals';
import type { Concern } from '../../model/ownership.ts';
import { policyName } from '../../model/policies/policy.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { deliver, person, reads, type LiveTenant } from './tenant.ts';

/** A tenant with an administrator who uses kubectl. */
export interface Staffed {
  readonly tenant: LiveTenant;
  readonly namespace: string;
  /** The administrator of the tenant, with Kubernetes' own role `admin`. */
  readonly alice: Client;
  readonly name: string;
  readonly spec: TenantSpec;
}

export async function staffedTenant(
  cluster: ClusterAccess,
  spec: TenantSpec = {},
  classSpec: TenantClassSpec = {},
): Promise<Staffed> {
  const name = person('alice');
  const { admins = {}, ...access } = spec.access ?? {};
  const users = [...(admins.users ?? []), name];
  const whole = { ...spec, access: { ...access, admins: { ...admins, users } } };
  const tenant = await deliver(cluster, uniqueName('people'), whole, { klass: classSpec });
  const alice = cluster.user(name);
  await reads(alice, tenant.namespace);
  return { tenant, namespace: tenant.namespace, alice, name, spec: whole };
}

/** Matches a refusal with these words by one of our policies, possibly together with other refusals. */
export const refusedBy = (concern: Concern, words: string) => {
  const literal = words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const message = expect.stringMatching(new RegExp(`'${policyName(concern)}'.*${literal}`, 's'));
  const causes = expect.arrayContaining([expect.objectContaining({ message })]);
  return { status: 403, body: { reason: 'Forbidden', details: { causes } } };
};

const RBAC = 'rbac.authorization.k8s.io';

export const user = (name: string) => ({ apiGroup: RBAC, kind: 'User', name });
export const group = (name: string) => ({ apiGroup: RBAC, kind: 'Group', name });
export const account = (namespace: string, name: string) => ({
  kind: 'ServiceAccount',
  name,
  namespace,
});

export function binding(
  namespace: string,
  role: string,
  subjects: readonly object[],
  name = uniqueName('own'),
): Body {
  const [kind, roleName] = role.includes('/') ? role.split('/') : ['ClusterRole', role];
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: RBAC, kind, name: roleName },
    subjects,
  };
}

export function networkPolicy(namespace: string, spec: object, name = uniqueName('own')): Body {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec: { podSelector: {}, ...spec },
  };
}

export const from = (...peers: readonly object[]) => ({ ingress: [{ from: peers }] });
export const to = (...peers: readonly object[]) => ({
  policyTypes: ['Egress'],
  egress: [{ to: peers }],
});
export const namespacesNamed = (...values: readonly string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }],
  },
});
