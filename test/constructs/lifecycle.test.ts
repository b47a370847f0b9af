import { expect, test } from '@jest/globals';
import { COMPARE_OPTIONS, FACTS, SYNC_OPTIONS } from '../../model/ownership.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Lifecycle } from '../../crds/settings.ts';
import {
  bindingsOf,
  hardOf,
  namesOf,
  objectsOf,
  ofKind,
  collectFindings,
  type Given,
} from './given.ts';

const ci = [{ name: 'ci', namespace: 'shop' }];

const living = (tenant?: Lifecycle, namespace?: Lifecycle): Given => ({
  klass: { defaults: { access: { viewers: { groups: ['on-call'] } } } },
  tenant: {
    ...(tenant && { lifecycle: tenant }),
    access: { admins: { users: ['alice'], groups: ['team'], serviceAccounts: ci } },
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'data' } } }],
    namespaces: [{ name: 'shop', ...(namespace && { lifecycle: namespace }) }],
  },
});

test('Active: everything is rendered as declared', () => {
  expect(bindingsOf(living('Active'))).toEqual(bindingsOf(living()));
  expect(hardOf(living())!['pods']).toBe('50');
});

test('Suspended: users of the tenant lose access; users of the class and machines keep it', () => {
  expect(bindingsOf(living('Suspended'))).toEqual([
    'tenant-clusterrole-view: ClusterRole view <- Group on-call',
    'tenant-clusterrole-admin: ClusterRole admin <- ServiceAccount shop/ci',
  ]);
});

test('Suspended: no new pods start, and every other bound stays', () => {
  const { pods: _active, ...others } = hardOf(living())!;
  expect(hardOf(living('Suspended'))).toEqual({ ...others, pods: '0' });
});

test('Suspended: no new pods start, even where there was no quota', () => {
  const given: Given = { tenant: { lifecycle: 'Suspended', quota: { preset: 'none' } } };
  expect(hardOf(given)).toEqual({ pods: '0' });
});

test('Suspended: the quota that stops pods has a name that no other quota has', () => {
  const scoped = [{ name: 'tenant-quota', hard: { pods: 1 }, scopes: ['BestEffort' as const] }];
  const quota = { preset: 'none', scoped };
  expect(collectFindings({ tenant: { quota } })).toEqual([]);
  expect(collectFindings({ tenant: { quota, lifecycle: 'Suspended' } })).toEqual([
    "spec.quota.scoped must have a name of its own, got ResourceQuota 'tenant-quota', which quota already gives",
  ]);
});

test('Retired: every binding is removed, of users, machines and the class; namespace and data stay', () => {
  const given = living('Retired');
  expect(bindingsOf(given)).toEqual([]);
  expect(namesOf(ofKind(given, 'Namespace'))).toEqual(['shop']);
  expect(namesOf(ofKind(given, 'ConfigMap'))).toEqual(['data']);
  expect(hardOf(given)!['pods']).toBe('0');
});

/** Removes access, the annotations about permitted bindings, and those that retention.test.ts covers. */
function withoutAccessAndStaying(object: KubeObject): KubeObject {
  const { annotations = {}, ...metadata } = object.metadata as Metadata;
  const keys = new Set<string>([FACTS.subjects, FACTS.namespaces, SYNC_OPTIONS, COMPARE_OPTIONS]);
  const others = Object.entries(annotations).filter(([key]) => !keys.has(key));
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(others) } };
}
type Metadata = KubeObject['metadata'] & { annotations?: Record<string, string> };

test('the lifecycle of a tenant changes only access and quota', () => {
  const others = (lifecycle: Lifecycle) =>
    objectsOf(living(lifecycle))
      .filter(({ kind }) => kind !== 'RoleBinding' && kind !== 'ResourceQuota')
      .map(withoutAccessAndStaying);
  expect(others('Suspended')).toEqual(others('Active'));
  expect(others('Retired')).toEqual(others('Active'));
});

test('a Retired namespace lists nobody whom its users could bind again', () => {
  const annotationsOf = (lifecycle: Lifecycle) =>
    objectsOf(living(lifecycle)).find(({ kind }) => kind === 'Namespace')!.metadata.annotations!;
  expect(annotationsOf('Suspended')).toHaveProperty([FACTS.namespaces]);
  for (const fact of [FACTS.subjects, FACTS.subjectPatterns, FACTS.namespaces]) {
    expect(annotationsOf('Retired')).not.toHaveProperty([fact]);
  }
});

test.each<[Lifecycle | undefined, Lifecycle | undefined, Lifecycle]>([
  ['Suspended', undefined, 'Suspended'],
  ['Suspended', 'Active', 'Suspended'],
  ['Active', 'Suspended', 'Suspended'],
  ['Suspended', 'Retired', 'Retired'],
  ['Retired', 'Active', 'Retired'],
  ['Retired', 'Suspended', 'Retired'],
  [undefined, 'Retired', 'Retired'],
])('a %s tenant with a %s namespace makes it %s', (tenant, namespace, both) => {
  expect(objectsOf(living(tenant, namespace))).toEqual(objectsOf(living(both)));
});
