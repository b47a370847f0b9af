import { expect } from '@jest/globals';
import { AccessRequest } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ClusterRole, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';

/** Access to request in the tenant `pay`: a ClusterRole for a user, and another one for a group. */
export const breakGlass = [
  { clusterRole: 'auditor', users: ['oncall'], maxHours: 2 },
  { clusterRole: 'view', groups: ['support'] },
];

const { group, version, kind } = AccessRequest;
const apiVersion = `${group}/${version}`;

function request(spec: object, metadata: object = {}): Body {
  const name = uniqueName('incident');
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'pay', ...metadata },
    spec: { reason: 'down', ...spec },
  };
}

const read = (namespace: string) => ({ apiVersion: 'v1', kind: 'Secret', name: 'x', namespace });

/**
 * Requests access as users of a cluster with the tenant `pay`, which declares `breakGlass`, and an operator that grants
 * it.
 */
export async function requestAccess(admin: Client, cluster: ClusterAccess): Promise<void> {
  const oncall = cluster.user('oncall');
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  await admin.create(ClusterRole, { metadata: { name: 'auditor' }, rules });
  await refuseForgeries(cluster);
  expect((await oncall.get(read('pay'))).status).toBe(403);
  // Requests from the first seconds of the policy are not verified.
  const name = await until('a request is granted', async () => {
    const body = request({ user: 'oncall', clusterRole: 'auditor' });
    const reply = await oncall.create(body);
    if (reply.status !== 201) throw new Error(reply.body.message);
    const place = { name: body.metadata!.name!, namespace: 'pay' };
    const granted = await until('the request is answered', async () =>
      findCondition((await admin.get(AccessRequest, place)).status?.conditions, 'Granted'),
    );
    return granted.status === 'True' && place.name;
  });
  const place = { name, namespace: 'pay' };
  const reference = { apiVersion, kind, ...place };
  await until(
    'the requester has the access',
    async () => (await oncall.get(read('pay'))).status === 404,
  );
  await keepRecord(oncall, reference);
  const { status } = await admin.get(AccessRequest, place);
  expect(Date.parse(status!.expires!)).toBeGreaterThan(Date.now());
  await oncall.patch(reference, { spec: { withdrawn: true } });
  await until('the access is gone', async () => (await oncall.get(read('pay'))).status === 403);
  const { items } = await admin.list(RoleBinding, { namespace: 'pay' });
  expect(items.filter(({ metadata }) => metadata.name === status!.roleBinding)).toEqual([]);
}

/** Nobody can request for somebody else, nor what they are not listed for, nor hide the record. */
async function refuseForgeries(cluster: ClusterAccess): Promise<void> {
  const oncall = cluster.user('oncall');
  const support = cluster.user('sam', { groups: ['support'] });
  const attempts: readonly (readonly [typeof oncall, Body, string | number])[] = [
    [oncall, request({ user: 'eve', clusterRole: 'auditor' }), 'name of the requester (oncall)'],
    [oncall, request({ user: 'oncall', clusterRole: 'view' }), 'lets oncall request, got view'],
    [support, request({ user: 'sam', clusterRole: 'auditor' }), 'lets sam request, got auditor'],
    [cluster.user('eve'), request({ user: 'eve', clusterRole: 'auditor' }), 'cannot create'],
    [cluster.admin, request({ user: 'oncall', clusterRole: 'auditor' }), 'name of the requester'],
    [
      oncall,
      request(
        { user: 'oncall', clusterRole: 'auditor' },
        { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }] },
      ),
      'must not have owners',
    ],
    [
      oncall,
      request(
        { user: 'oncall', clusterRole: 'auditor' },
        // Argo CD would prune the request, and with it the record.
        {
          annotations: { 'argocd.argoproj.io/tracking-id': 'pay:tenantry.dev/AccessRequest:pay/x' },
        },
      ),
      'argocd.argoproj.io/tracking-id',
    ],
    [support, request({ user: 'sam', group: 'oncall', clusterRole: 'view' }), 'group of sam'],
    [
      support,
      request({ user: 'sam', group: 'support', clusterRole: 'view', reason: 'one\nand two' }),
      'spec.reason',
    ],
    [support, request({ user: 'sam', group: 'support', clusterRole: 'view' }), 201],
  ];
  for (const [client, body, answer] of attempts) {
    const reply = await until('the policy is in force', async () => {
      const made = await client.create(body);
      // A policy that was created a moment ago may not be enforced yet.
      if (made.status === 201 && answer !== 201)
        await cluster.admin.delete({
          apiVersion,
          kind,
          name: body.metadata!.name!,
          namespace: 'pay',
        });
      return (made.status === 201) === (answer === 201) && made;
    });
    if (answer !== 201) expect(reply.body.message).toContain(answer);
  }
}

/** A requester can neither delete nor change the record, nor write its status. */
async function keepRecord(
  oncall: ReturnType<ClusterAccess['user']>,
  reference: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace: string;
  },
): Promise<void> {
  expect((await oncall.delete(reference)).status).toBe(403);
  for (const change of [{ hours: 2 }, { reason: 'none' }, { user: 'eve' }, { group: 'others' }]) {
    const { status, body } = await oncall.patch(reference, { spec: change });
    expect([status, body.message]).toEqual([422, expect.stringContaining('must not change')]);
  }
}
