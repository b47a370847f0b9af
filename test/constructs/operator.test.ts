import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { OperatorAccess } from '../../constructs/operator/tenant-operator.ts';
import { writesBeyondStatus, OPERATOR, listOperatorAccess } from '../../model/operator/access.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import {
  leaseElectionAccess,
  permits,
  roleObjects,
  buildRoles,
  type AccessRule,
} from '@tenantry/kube/access';
import { builtinResource } from '@tenantry/kube/builtin-kinds';
import { groupOf } from '@tenantry/kube/object';
import { eventAccess } from '@tenantry/runtime/events/events';
import { distClusters, distFolders } from '../cluster/dist.ts';
import { everything, objectsOf } from './given.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: object;
  };
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly object[];
}

function access(props: ConstructorParameters<typeof OperatorAccess>[2] = {}): Manifest[] {
  const chart = Testing.chart();
  new OperatorAccess(chart, 'operator', props);
  return Testing.synth(chart) as Manifest[];
}

const rulesOf = (kind: string): readonly Rule[] =>
  access().find((one) => one.kind === kind)!.rules!;

test('the operator has a namespace, an account, a role in the cluster and one for its lease', () => {
  expect(
    access().map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
  ).toEqual([
    'Namespace /tenantry-system',
    'ServiceAccount tenantry-system/tenantry-operator',
    'ClusterRole /tenantry-operator',
    'ClusterRoleBinding /tenantry-operator',
    'Role tenantry-system/tenantry-operator',
    'RoleBinding tenantry-system/tenantry-operator',
  ]);
});

test('cluster-wide it writes only Events and the status of Tenants', () => {
  const writes = rulesOf('ClusterRole').filter(({ verbs }) =>
    verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)),
  );
  expect(writes).toEqual([
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['tenantry.dev'], resources: ['tenants/status'], verbs: ['patch'] },
  ]);
});

const namespace = 'tenantry-system';
const observing = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });

test('its rights in each cluster are exactly those that it declares', () => {
  const { cluster, namespaces } = buildRoles(observing);
  const declared = [
    ['ClusterRole', undefined, cluster],
    ...[...namespaces].map(([place, rules]) => ['Role', place, rules]),
  ];
  expect(distClusters().length).toBeGreaterThan(1);
  for (const name of distClusters()) {
    const rendered = distFolders(name)
      .flatMap(({ objects }) => objects)
      .filter(
        ({ kind, metadata }) => /^(Cluster)?Role$/.test(kind ?? '') && metadata?.name === OPERATOR,
      )
      .map(({ kind, metadata, rules }) => [kind, metadata?.namespace, rules]);
    expect(rendered.toSorted()).toEqual(declared.toSorted());
  }
});

test('it reads the kinds that Tenantry renders for tenants, and Tenants and their classes', () => {
  const kinds = objectsOf(everything)
    .filter(({ kind }) => kind !== 'ConfigMap')
    .map(({ apiVersion, kind }) => builtinResource(groupOf(apiVersion), kind));
  const read = observing.filter(({ verbs }) => verbs.includes('list'));
  const names = (all: readonly { readonly group: string; readonly resource: string }[]) =>
    new Set(all.map(({ group, resource }) => `${resource}.${group}`));
  const own = ['tenants', 'tenantclasses'].map((resource) => ({ group: 'tenantry.dev', resource }));
  expect(names(read)).toEqual(names([...kinds, ...own]));
});

test('it has the rights that election and events of the runtime need', () => {
  const needed = [...leaseElectionAccess({ name: OPERATOR, namespace }), ...eventAccess];
  const missing = needed.flatMap(({ verbs, resourceNames, namespaces, ...rest }) =>
    verbs
      .map((verb) => ({ ...rest, verb, name: resourceNames?.[0], namespace: namespaces?.[0] }))
      .filter((request) => !permits(observing, request)),
  );
  expect(missing).toEqual([]);
});

test('it reads no Secret, has no wildcard, and cannot give itself more rights', () => {
  for (const { apiGroups, resources, verbs } of rulesOf('ClusterRole')) {
    expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
    expect(resources).not.toContain('secrets');
    for (const verb of ['bind', 'escalate', 'impersonate', 'delete']) {
      expect(verbs).not.toContain(verb);
    }
  }
});

test('it reads and renews only its own lease; its other writes are in its namespace', () => {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  expect(rulesOf('Role')).toEqual([
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], resourceNames: ['tenantry-operator'] },
  ]);
});

test('an account gets a ClusterRole only for cluster-wide rights, and a Role in each namespace', () => {
  const pods = { group: '', resource: 'pods', verbs: ['get'] } as const;
  const names = (access: readonly AccessRule[]): string[] =>
    Object.values(roleObjects({ name: 'shop', namespace: 'ops', access })).map(
      ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
    );
  expect(names([])).toEqual([]);
  expect(names([pods])).toEqual(['ClusterRole /shop', 'ClusterRoleBinding /shop']);
  expect(names([{ ...pods, namespaces: ['b', 'a'] }])).toEqual([
    'Role a/shop',
    'RoleBinding a/shop',
    'Role b/shop',
    'RoleBinding b/shop',
  ]);
  // The key of a binding never equals that of a role, whatever the names of namespaces.
  expect(names([{ ...pods, namespaces: ['a', 'a-binding', 'binding-a'] }])).toHaveLength(6);
  const bindings = Object.values(
    roleObjects({ name: 'shop', namespace: 'ops', access: [{ ...pods, namespaces: ['a'] }] }),
  ).filter(({ kind }) => kind === 'RoleBinding');
  expect(bindings).toMatchObject([
    {
      roleRef: { kind: 'Role', name: 'shop' },
      subjects: [{ kind: 'ServiceAccount', name: 'shop', namespace: 'ops' }],
    },
  ]);
});

test('in another namespace, all of its objects are there', () => {
  const places = access({ namespace: 'ops' }).flatMap(({ metadata, subjects = [] }) => [
    metadata.namespace,
    ...subjects.map((subject) => (subject as { namespace?: string }).namespace),
  ]);
  expect(new Set(places.filter(Boolean))).toEqual(new Set(['ops']));
});

test('for a platform with healing it has the rights, and a policy restricts the account', () => {
  const platform = resolvePlatform({ operator: { driftPolicy: 'Heal' } });
  const all = access({ namespace: 'ops', fleet: new Fleet(platform) });
  expect(all.map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ServiceAccount',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    // Of requests for access.
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ]);
  const text = JSON.stringify(all);
  expect(text).toContain("username == 'system:serviceaccount:ops:tenantry-operator'");
  // No user may write in its own namespace, whatever its label.
  const policy = all.find(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(JSON.stringify(policy)).toContain(String.raw`\"argocd\",\"ops\"`);
  const bound = all.flatMap(({ rules = [] }) => rules).filter(({ verbs }) => verbs[0] === 'bind');
  expect(bound.map(({ resources, resourceNames }) => [resources, resourceNames])).toEqual([
    [['clusterroles'], ['admin', 'edit', 'view']],
  ]);
});

test('any write to a tenant beyond status and events is subject to the policy', () => {
  expect(writesBeyondStatus(observing)).toBe(false);
  const tenants = { group: 'tenantry.dev', resource: 'tenants' };
  expect(writesBeyondStatus([...observing, { ...tenants, verbs: ['get'] }])).toBe(false);
  expect(writesBeyondStatus([...observing, { ...tenants, verbs: ['get', 'patch'] }])).toBe(true);
  expect(writesBeyondStatus([{ group: '', resource: 'pods', verbs: ['delete'] }])).toBe(true);
});

test('every object of the operator has the part-of label of Tenantry', () => {
  for (const { metadata } of access()) {
    expect(metadata.labels).toMatchObject({
      'app.kubernetes.io/managed-by': 'tenantry',
      'app.kubernetes.io/part-of': 'tenantry',
    });
  }
});
