import { afterAll, expect } from '@jest/globals';
import { listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import { buildWritePolicy, WRITE_POLICY } from '../../model/operator/write-policy.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../crds/tenant.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { applyManifests } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';

const given = await ownClusters();
const { test } = given;

const RBAC = 'rbac.authorization.k8s.io';
const SYSTEM = 'tenantry-system';
const platform = resolvePlatform({
  operator: { driftPolicy: 'Heal' },
  protectedNamespaces: ['bank-*'],
  externalNamespaces: ['mainframe'],
  releasedNamespaces: ['vault'],
});
const clusterRoles = ['edit', 'view'];
/** The access of an operator that uses finalizers. */
const access = [
  ...listOperatorAccess(SYSTEM, { policy: 'Heal', clusterRoles }),
  { group: tenant.group, resource: tenant.plural, verbs: ['patch'] as const },
];

const of = (name: string) => ({ labels: { [TENANT_LABEL]: name } });
const namespace = (name: string, metadata: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});
const heir = (name: string) => ({ labels: { 'tenantry.dev/adopt-by': name } });
const quota = (place: string, metadata: object = of('pay')): Body => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'quota', namespace: place, ...metadata },
  spec: { hard: { pods: '1' } },
});
const binding = (place: string, role: string, kind = 'ClusterRole', name = 'b'): Body => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name, namespace: place, ...of('pay') },
  roleRef: { apiGroup: RBAC, kind, name: role },
  subjects: [{ apiGroup: RBAC, kind: 'User', name: 'eve' }],
});
const role = (place: string): Body => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  metadata: { name: 'all', namespace: place, ...of('pay') },
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
});
const core = (kind: string, name: string, place: string): Body => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: place, ...of('pay') },
});
const lease = (name: string, place: string): Body => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace: place },
});
const event = (place: string): Body => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'drifted', namespace: place },
  eventTime: '2026-11-22T09:14:05.000000Z',
  reportingController: 'tenantry-operator',
  reportingInstance: 'a',
  action: 'Look',
  reason: 'Drifted',
  type: 'Normal',
  regarding: { apiVersion: 'v1', kind: 'Namespace', name: place, namespace: place },
});
const pay: Body = {
  apiVersion: 'tenantry.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: 'pay', ...heir('x'), finalizers: ['tenantry.dev/old', 'example.com/keep'] },
  spec: { cordoned: true },
};

/** The objects that exist before the attempts. */
const there: readonly Body[] = [
  namespace(SYSTEM),
  namespace('pay', of('pay')),
  namespace('theirs', { labels: { ...of('other').labels, ...heir('pay').labels } }),
  namespace('plain'),
  namespace('given', heir('pay')),
  namespace('bank-core', of('pay')),
  namespace('mainframe', of('pay')),
  namespace('monitoring', of('pay')),
  namespace('vault', of('pay')),
  pay,
  quota('theirs', of('other')),
  quota('pay'),
  quota('plain', {}),
  quota('given', {}),
  core('ServiceAccount', 'squatter', 'pay'),
  binding('pay', 'view', 'ClusterRole', 'old'),
  binding('plain', 'view', 'ClusterRole', 'old'),
  binding('kube-system', 'view', 'ClusterRole', 'old'),
];

const dry = { dryRun: true, fieldManager: 'x' };
const patch = (object: Body, change: object) => (by: Client) =>
  by.patch(toReference(object), change, dry);
const make = (object: Body) => (by: Client) => by.create(object, dry);
const remove = (object: Body) => (by: Client) => by.delete(toReference(object), { dryRun: true });
const metadata = (change: object) => ({ metadata: change });
const spec = { spec: { hard: { pods: '2' } } };

type Try = (by: Client) => Promise<Reply>;

const allowed: Readonly<Record<string, Try>> = {
  'create a Namespace of a tenant': make(namespace('pay-two', of('pay'))),
  'create a Namespace with a released name': make(namespace('vault-two', of('pay'))),
  'write in a Namespace with a released name': make(binding('vault', 'view')),
  'change a Namespace of a tenant': patch(namespace('pay'), metadata({ labels: { a: 'b' } })),
  'adopt a Namespace that was given to the tenant': patch(namespace('given'), metadata(of('pay'))),
  'create an object in a Namespace of a tenant': make({
    ...quota('pay'),
    metadata: { ...quota('pay').metadata, name: 'q' },
  }),
  'change an object in a Namespace of a tenant': patch(quota('pay'), spec),
  'restore the label': patch(quota('pay'), { ...spec, ...metadata(of('pay')) }),
  'create a Role with any rule': make(role('pay')),
  'bind a ClusterRole of a class': make(binding('pay', 'edit')),
  'bind a Role': make(binding('pay', 'all', 'Role')),
  'delete a RoleBinding': remove(binding('pay', 'view', 'ClusterRole', 'old')),
  'hold its Lease': make(lease(OPERATOR, SYSTEM)),
  'create an event of a Tenant': make(event('default')),
  'remove its finalizer from a Tenant': patch(pay, metadata({ finalizers: ['example.com/keep'] })),
  'add its finalizer to a Tenant': patch(
    pay,
    metadata({ finalizers: ['tenantry.dev/old', 'example.com/keep', 'tenantry.dev/new'] }),
  ),
  'update the status of a Tenant': (by) =>
    by.patch(
      toReference(pay),
      { status: { observedGeneration: 1 } },
      { ...dry, subresource: 'status' },
    ),
  'review its own access': make({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  } as Body),
};

const noLabel = 'must write only in namespaces with the label tenantry.dev/tenant, got';
const isProtected = 'must not write in protected namespaces, got';
const undeclared = 'must write only what its access declares, got';
const taken = 'a Namespace must be of the tenant, or of none and have the label';
const otherLabel = 'of what the operator writes must be that of the namespace (pay), got';
const otherRole = 'a RoleBinding must be to a Role or to a ClusterRole that a TenantClass allowed';
const otherwise = 'must change nothing of a Tenant but its own finalizers and its status';

const refused: Readonly<Record<string, readonly [attack: Try, because: string]>> = {
  'create a Namespace without a tenant': [make(namespace('mine')), `${noLabel} mine`],
  'create a Namespace of the empty tenant': [make(namespace('mine', of(''))), `${noLabel} mine`],
  'create a protected Namespace': [
    make(namespace('bank-two', of('pay'))),
    `${isProtected} bank-two`,
  ],
  'create a Namespace whose generated name is protected': [
    make({ ...namespace('x'), metadata: { generateName: 'kube-', ...of('pay') } }),
    `${isProtected} kube-`,
  ],
  'remove the label of a tenant': [
    patch(namespace('pay'), metadata({ labels: { [TENANT_LABEL]: null } })),
    `${noLabel} pay`,
  ],
  'adopt the Namespace of another tenant': [patch(namespace('theirs'), metadata(of('pay'))), taken],
  'adopt a Namespace that was not given away': [
    patch(namespace('plain'), metadata({ labels: { ...of('pay').labels, ...heir('pay').labels } })),
    taken,
  ],
  'adopt a Namespace that was given to another tenant': [
    patch(namespace('given'), metadata(of('other'))),
    taken,
  ],
  'give a Namespace to a tenant': [
    patch(namespace('plain'), metadata(heir('pay'))),
    `${noLabel} plain`,
  ],
  'adopt a protected Namespace': [
    patch(namespace('kube-system'), metadata(of('pay'))),
    `${isProtected} kube-system`,
  ],
  'change a protected Namespace that was labeled by hand': [
    patch(namespace('monitoring'), metadata({ labels: { a: 'b' } })),
    `${isProtected} monitoring`,
  ],
  'delete a Namespace': [remove(namespace('pay')), `${undeclared} DELETE namespaces`],
  'change the status of a Namespace': [
    (by) =>
      by.patch(toReference(namespace('plain')), metadata(of('pay')), {
        ...dry,
        subresource: 'status',
      }),
    `${undeclared} UPDATE namespaces/status`,
  ],
  'write in a Namespace without a tenant': [make(role('plain')), `${noLabel} plain`],
  'write in a Namespace that is given but not adopted': [
    patch(quota('given'), spec),
    `${noLabel} given`,
  ],
  'bind in kube-system': [make(binding('kube-system', 'view')), `${noLabel} kube-system`],
  'bind in its own Namespace': [make(binding(SYSTEM, 'view')), `${noLabel} ${SYSTEM}`],
  'write in a protected Namespace': [make(role('bank-core')), `${isProtected} bank-core`],
  'write in a Namespace of the platform': [make(role('mainframe')), `${isProtected} mainframe`],
  'delete a RoleBinding elsewhere': [
    remove(binding('kube-system', 'view', 'ClusterRole', 'old')),
    `${noLabel} kube-system`,
  ],
  'delete a quota': [remove(quota('pay')), `${undeclared} DELETE resourcequotas`],
  'delete all RoleBindings': [
    (by) =>
      by.request({
        method: 'DELETE',
        path: `/apis/${RBAC}/v1/namespaces/plain/rolebindings`,
        query: { dryRun: 'All' },
      }),
    `${noLabel} plain`,
  ],
  'create an object without a tenant': [
    make({ ...quota('pay'), metadata: { name: 'q', namespace: 'pay' } }),
    otherLabel,
  ],
  'create an object of another tenant': [
    make({ ...quota('pay'), metadata: { name: 'q', namespace: 'pay', ...of('other') } }),
    `${otherLabel} other`,
  ],
  'remove the label of an object': [
    patch(quota('pay'), metadata({ labels: { [TENANT_LABEL]: null } })),
    otherLabel,
  ],
  'bind cluster-admin': [make(binding('pay', 'cluster-admin')), `${otherRole}`],
  'bind a ClusterRole that no class allows': [make(binding('pay', 'admin')), otherRole],
  'bind a ClusterRole that no class allows in the Namespace of another tenant': [
    make({
      ...binding('theirs', 'admin'),
      metadata: { name: 'b', namespace: 'theirs', ...of('other') },
    }),
    otherRole,
  ],
  'hold another Lease': [make(lease('kube-scheduler', SYSTEM)), 'must write only its own Lease'],
  'hold a Lease elsewhere': [make(lease(OPERATOR, 'kube-system')), 'must write only its own Lease'],
  'create an event elsewhere': [make(event('kube-system')), 'must tell events of Tenants alone'],
  'create a ConfigMap': [make(core('ConfigMap', 'c', 'pay')), `${undeclared} CREATE configmaps`],
  'create a Secret': [make(core('Secret', 's', 'pay')), `${undeclared} CREATE secrets`],
  'get a token': [
    (by) =>
      by.put(
        toReference(core('ServiceAccount', 'squatter', 'pay')),
        'token',
        { spec: {} },
        {
          ...dry,
          method: 'POST',
        },
      ),
    `${undeclared} CREATE serviceaccounts/token`,
  ],
  'bind itself in the cluster': [
    make({
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'me', ...of('pay') },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
    }),
    `${undeclared} CREATE clusterrolebindings.${RBAC}`,
  ],
  'declare a Tenant': [
    make({ ...pay, metadata: { name: 'mine' } }),
    `${undeclared} CREATE tenants.tenantry.dev`,
  ],
  'change the spec of a Tenant': [patch(pay, { spec: { cordoned: false } }), otherwise],
  'label a Tenant': [patch(pay, metadata({ labels: { a: 'b' } })), otherwise],
  'annotate a Tenant': [patch(pay, metadata({ annotations: { a: 'b' } })), otherwise],
  'add an owner to a Tenant': [
    patch(
      pay,
      metadata({
        ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'pay', uid: 'x' }],
      }),
    ),
    otherwise,
  ],
  'remove the finalizer of another controller': [
    patch(pay, metadata({ finalizers: ['tenantry.dev/old'] })),
    otherwise,
  ],
  'delete a Tenant': [remove(pay), `${undeclared} DELETE tenants.tenantry.dev`],
};

interface World {
  readonly cluster: OwnCluster;
  /** The account of the operator, bound to cluster-admin, so that RBAC refuses it nothing. */
  readonly operator: Client;
}

async function start(): Promise<World> {
  const cluster = await given.newCluster();
  await applyManifests(cluster, [crdManifest(tenant), ...there]);
  const user = `system:serviceaccount:${SYSTEM}:${OPERATOR}`;
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: user }];
  const apiVersion = `${RBAC}/v1`;
  await applyManifests(cluster, [
    ...Object.values(buildWritePolicy({ platform, namespace: SYSTEM, access, clusterRoles })),
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name: 'too-much' }, roleRef, subjects },
  ]);
  const operator = cluster.user(user);
  await until('the policy is in force', async () => {
    const { status, body } = await make(namespace('probe'))(operator);
    return status === 403 && (body.message ?? '').includes(WRITE_POLICY);
  });
  return { cluster, operator };
}

let started: Promise<World> | undefined;
const world = () => (started ??= start());
afterAll(async () => (await started)?.cluster.stop());

for (const [what, attempt] of Object.entries(allowed)) {
  test(`the operator may ${what}`, async () => {
    const { operator } = await world();
    const { status, body } = await attempt(operator);
    expect([status < 300, body.message]).toEqual([true, undefined]);
  });
}

for (const [what, [attack, because]] of Object.entries(refused)) {
  test(`an attacker with the operator’s account and any role may not ${what}`, async () => {
    const { operator } = await world();
    const { status, body } = await attack(operator);
    expect([status, body.message]).toEqual([403, expect.stringContaining(because)]);
    expect(body.message).toContain(WRITE_POLICY);
  });
}

test('the policy applies to no other account', async () => {
  const { cluster } = await world();
  const other = cluster.user('system:serviceaccount:other:tenantry-operator', {
    groups: ['system:masters'],
  });
  for (const [attack] of Object.values(refused)) {
    const { body } = await attack(other);
    expect(body.message ?? '').not.toContain(WRITE_POLICY);
  }
});
