import { expect, test } from '@jest/globals';
import { leaseElectionAccess } from '../../access.ts';

test('an election may create Leases in its namespace, and read and write its own, and nothing else', () => {
  const leases = { group: 'coordination.k8s.io', resource: 'leases', namespaces: ['home'] };
  expect(leaseElectionAccess({ name: 'shops', namespace: 'home' })).toEqual([
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update'], resourceNames: ['shops'] },
  ]);
});
