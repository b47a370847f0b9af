import { expect } from '@jest/globals';
import { TENANT_LABEL } from '../../model/ownership.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { applied, attackedTenant, force, stateOf, withLabels } from './attacked.ts';
import { captureRefusal, refusalOf } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

const world = () => attackedTenant(given.cluster);

type Attack = (attacker: Client, live: Body, tenant: string) => Promise<Reply>;

const label = { metadata: { labels: { [TENANT_LABEL]: null } } };
const labelPath = `/metadata/labels/${TENANT_LABEL.replace('/', '~1')}`;
const edit = { metadata: { annotations: { edited: 'yes' } } };
const attacks: Readonly<Record<string, Attack>> = {
  'strips the label by a merge patch': (by, it) => by.patch(toReference(it), label),
  'strips the label by a strategic patch': (by, it) =>
    by.patch(toReference(it), label, { type: 'strategic' }),
  'strips the label by a JSON patch': (by, it) =>
    by.patch(toReference(it), [{ op: 'remove', path: labelPath }], { type: 'json' }),
  'strips all labels by a replacement': (by, it) => by.replace(withLabels(it, {})),
  "puts another tenant's label on": (by, it) =>
    by.patch(toReference(it), { metadata: { labels: { [TENANT_LABEL]: 'other' } } }),
  "applies another tenant's label": (by, it) =>
    by.apply(applied(it, { labels: { [TENANT_LABEL]: 'other' } }), force),
  'strips and edits at once': (by, it) =>
    by.replace({ ...withLabels(it, {}), data: { a: 'b' }, rules: [], subjects: [] }),
  'edits by a merge patch': (by, it) => by.patch(toReference(it), edit),
  'edits by a strategic patch': (by, it) => by.patch(toReference(it), edit, { type: 'strategic' }),
  'edits by a JSON patch': (by, it) =>
    by.patch(toReference(it), [{ op: 'add', path: '/metadata/generateName', value: 'x' }], {
      type: 'json',
    }),
  'applies by force': (by, it) => by.apply(applied(it, { annotations: { edited: 'yes' } }), force),
  'strips annotations, owners and finalizers (CVE-2022-46167)': (by, it) =>
    by.patch(toReference(it), {
      metadata: { annotations: null, ownerReferences: null, finalizers: null },
    }),
  'adds a finalizer': (by, it) =>
    by.patch(toReference(it), { metadata: { finalizers: ['example.com/stuck'] } }),
  'deletes it': (by, it) => by.delete(toReference(it)),
  'creates it again': (by, it) =>
    by.create({ ...it, metadata: applied(it, { labels: it.metadata!.labels }).metadata! }),
};

/** The kinds that the role `admin` gives Alice no right to write: RBAC refuses her before the guard does. */
const notHers: ReadonlySet<string> = new Set(['Namespace', 'ResourceQuota', 'LimitRange']);

/** The attacks that set the label of a tenant, which other policies refuse too. */
const captures: ReadonlySet<string> = new Set([
  "puts another tenant's label on",
  "applies another tenant's label",
  'creates it again',
]);

for (const [what, attack] of Object.entries(attacks)) {
  const refusal = captures.has(what) ? captureRefusal : refusalOf;
  test(`the guard refuses a user who ${what}, for every kind`, async () => {
    const here = await world();
    const { tenant, alice, mallory } = here;
    const before = await stateOf(given.cluster, here);
    expect(new Set(before.map(({ kind }) => kind)).size).toBe(9);
    for (const object of before) {
      expect([object.kind, await attack(mallory, object, tenant.name)]).toMatchObject([
        object.kind,
        refusal(tenant.name),
      ]);
      const hers = await attack(alice, object, tenant.name);
      expect([object.kind, hers]).toMatchObject([
        object.kind,
        notHers.has(object.kind!) ? { status: 403 } : refusal(tenant.name),
      ]);
    }
    expect(await stateOf(given.cluster, here)).toEqual(before);
  });
}

test('a request to delete all objects of a kind spares those of the platform', async () => {
  const here = await world();
  const { tenant, alice, mallory } = here;
  const before = await stateOf(given.cluster, here);
  const collections = {
    [`/api/v1/namespaces/${tenant.namespace}`]: [
      'configmaps',
      'serviceaccounts',
      'resourcequotas',
      'limitranges',
    ],
    [`/apis/rbac.authorization.k8s.io/v1/namespaces/${tenant.namespace}`]: [
      'roles',
      'rolebindings',
    ],
    [`/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}`]: ['networkpolicies'],
    [`/apis/policy/v1/namespaces/${tenant.namespace}`]: ['poddisruptionbudgets'],
  };
  for (const [path, resources] of Object.entries(collections)) {
    for (const resource of resources) {
      const call = { method: 'DELETE', path: `${path}/${resource}` } as const;
      expect([resource, await mallory.request(call)]).toMatchObject([
        resource,
        refusalOf(tenant.name),
      ]);
      expect((await alice.request(call)).status).toBe(403);
    }
  }
  expect(await stateOf(given.cluster, here)).toEqual(before);
});

test('the audit log attributes every attack to the attackers', async () => {
  const { names } = await world();
  for (const name of Object.values(names)) {
    const refused = await until('the audit log has them', () => {
      const all = given.cluster.auditLog().filter(({ user }) => user.username === name);
      const refused = all.filter(({ responseStatus }) => responseStatus?.code === 403);
      expect(all.filter(({ impersonatedUser }) => impersonatedUser)).toEqual([]);
      return refused.length > 100 && refused;
    });
    expect(new Set(refused.map(({ verb }) => verb))).toEqual(
      new Set(['create', 'update', 'patch', 'delete', 'deletecollection']),
    );
  }
});
