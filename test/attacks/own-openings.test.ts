import { expect } from '@jest/globals';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { reach } from './mtb/network.ts';
import { worldOf } from './mtb/world.ts';

const given = await sharedCluster();
const { test } = given;

// Network policies are additive, so the admission policy for users' policies must prevent this.
test('Block network access across tenant namespaces: two administrators together cannot open a connection', async () => {
  const { cluster } = given;
  const { alice, bob, tenant, other } = await worldOf(cluster, 'hardened');
  const everyone = { namespaceSelector: {} };
  const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
  for (const [by, { namespace }] of [
    [alice, tenant],
    [bob, other],
  ] as const) {
    for (const spec of [
      { podSelector: {}, ingress: [{}], egress: [{}], policyTypes: ['Ingress', 'Egress'] },
      {
        podSelector: {},
        ingress: [{ from: [everyone] }],
        egress: [{ to: [everyone] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    ]) {
      const policy = { ...kind, metadata: { name: 'opening', namespace }, spec };
      expect((await by.create(policy)).status).toBe(403);
    }
  }
  expect(await reach(cluster, tenant.namespace, other.namespace)).toBe('passes');
});
