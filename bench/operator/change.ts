import type { KubeObject } from '@tenantry/kube/object';
import type { BenchTenant } from './tenants.ts';

/** A manual change of an object, and its reversal; both as merge patches. */
export interface Change {
  readonly tenant: string;
  readonly object: KubeObject;
  readonly broken: object;
  readonly restored: object;
}

type Fields = Pick<KubeObject, string>;

/** Typical manual changes of a tenant's objects: each one changes a declared field. */
const manualChanges: readonly {
  readonly name: string;
  readonly kind: string;
  readonly fields: (object: KubeObject) => Fields;
  readonly broken: (object: KubeObject) => Fields;
}[] = [
  {
    kind: 'ResourceQuota',
    name: 'tenant-quota',
    fields: ({ spec }) => ({ spec }),
    broken: () => ({ spec: { hard: { pods: '999' } } }),
  },
  {
    kind: 'RoleBinding',
    name: 'tenant-clusterrole-edit',
    fields: ({ subjects }) => ({ subjects }),
    broken: () => ({
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
    }),
  },
  {
    kind: 'NetworkPolicy',
    name: 'tenant-isolation',
    fields: ({ spec }) => ({ spec }),
    broken: () => ({ spec: { ingress: [{}] } }),
  },
  {
    kind: 'Role',
    name: 'deployer',
    fields: ({ rules }) => ({ rules }),
    broken: ({ rules }) => ({ rules: (rules as readonly object[]).slice(1) }),
  },
  {
    kind: 'LimitRange',
    name: 'tenant-limits',
    fields: ({ spec }) => ({ spec }),
    broken: ({ spec }) => ({
      spec: { limits: (spec as { readonly limits: readonly object[] }).limits.slice(1) },
    }),
  },
];

/**
 * Returns so many changes, each in another tenant, spread evenly over all of them, starting with the
 * last.
 * @throws {Error} where there are fewer tenants
 */
export function changesOf(tenants: readonly BenchTenant[], count: number): readonly Change[] {
  if (count > tenants.length) {
    throw new Error(`there must be a tenant for each of ${count} changes, got ${tenants.length}`);
  }
  return Array.from({ length: count }, (_, i) => {
    const { member, objects } =
      tenants[tenants.length - 1 - Math.floor((i * tenants.length) / count)]!;
    const manual = manualChanges[i % manualChanges.length]!;
    const object = objects.find(
      ({ kind, metadata }) => kind === manual.kind && metadata.name === manual.name,
    );
    if (!object) throw new Error(`${member.name} must have a ${manual.kind} ${manual.name}`);
    const [restored, broken] = [manual.fields(object), manual.broken(object)];
    return { tenant: member.name, object, broken, restored };
  });
}
