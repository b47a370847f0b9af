import { expect } from '@jest/globals';
import { hardeningLabel } from '../../model/hardening/policy.ts';
import { person, powerful, refusalOf } from '../cluster/tenant.ts';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { worldOf } from './mtb/world.ts';

const given = await sharedCluster();
const { test } = given;

test('no security label of a namespace can be lowered or removed by its administrator or by a user with broad RBAC rights', async () => {
  const { alice, tenant } = await worldOf(given.cluster, 'hardened');
  const mallory = await powerful(given.cluster, person('mallory'));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', name: tenant.namespace };
  const { body } = await given.cluster.admin.get(namespace);
  const keys = ['pod-security.kubernetes.io/enforce', ...Object.values(hardeningLabel)];
  for (const key of keys) {
    const isSet = Object.hasOwn(body.metadata!.labels ?? {}, key);
    // The hardened class requires no version of images.
    expect([key, isSet]).toEqual([key, key !== hardeningLabel.imageVersion]);
    for (const value of ['privileged', ...(isSet ? [null] : [])]) {
      const patch = { metadata: { labels: { [key]: value } } };
      expect((await alice.patch(namespace, patch)).status).toBe(403);
      expect(await mallory.patch(namespace, patch)).toMatchObject(refusalOf(tenant.name));
    }
  }
});
