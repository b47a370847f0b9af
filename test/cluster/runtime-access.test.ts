import { expect } from '@jest/globals';
import fc from 'fast-check';
import { permits } from '@tenantry/kube/access';
import {
  arbitraryRule,
  requestsIn,
  type AccessWorld,
} from '@tenantry/kube/test/access/arbitrary-access';
import { sharedCluster, newNamespace } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { Account, isAllowed } from './accounts.ts';

const given = await sharedCluster();
const { test } = given;

const worldOf = (namespaces: readonly string[]): AccessWorld => ({
  groups: ['', 'apps'],
  resources: ['configmaps', 'configmaps/status', 'deployments'],
  verbs: ['get', 'list', 'create', 'deletecollection'],
  names: ['a', 'b'],
  namespaces,
});

test('a cluster with the roles allows exactly what the client would send', async () => {
  const namespaces = [
    await newNamespace(given.cluster, 'm'),
    await newNamespace(given.cluster, 'n'),
  ];
  const world = worldOf(namespaces);
  const all = requestsIn(world, ['a', 'c'], namespaces);
  const some = fc.array(arbitraryRule(world), { minLength: 3, maxLength: 6 });
  for (const rules of fc.sample(some, { numRuns: 4, seed: 42 })) {
    const { user } = await Account.make(given.cluster, namespaces[0]!, rules);
    // Authorizers learn of roles through a watch of their own.
    const expected = all.map((request) => permits(rules, request));
    expect(new Set(expected).size).toBe(2);
    await until('the cluster decides as the client does', async () => {
      const decided = await Promise.all(
        all.map((request) => isAllowed(given.cluster, user, request)),
      );
      expect(decided).toEqual(expected);
      return true;
    });
  }
});
