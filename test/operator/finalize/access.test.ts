import { expect, test } from '@jest/globals';
import type { TenantSpec } from '../../../crds/tenantry/types.ts';
import type { Healer } from '../../../operator/heal/healer.ts';
import { createRevokeAccessTask } from '../../../operator/finalize/revoke-access.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';
import { fleetOf, liveTenant } from '../given.ts';

/** Returns the notes for the namespaces of a tenant that is being deleted. */
async function collectNotes(spec: TenantSpec, metadata: Partial<Live['metadata']> = {}) {
  const healer = { revoke: async () => ({ revoked: [], problems: [] }) } as unknown as Healer;
  const leaving = {
    tenant: liveTenant(spec, metadata),
    fleet: fleetOf(),
    policy: 'Heal',
    cluster: 'eu',
    objects: { namespacesOf: () => ['acme'] },
    now: () => 0,
  };
  return (await createRevokeAccessTask(healer).run(leaving as never)).notes;
}

test('the deletion of a tenant reports which access stays: of one from Git, only what Argo CD or Flux leave', async () => {
  const labels = { 'kustomize.toolkit.fluxcd.io/name': 'tenants' };
  expect(await collectNotes({})).toEqual([
    'acme (Active) stays, with quotas, network policies and access as declared',
  ]);
  expect(await collectNotes({}, { labels })).toEqual([
    'acme (Active) stays, with quotas and network policies, and no access but what Argo CD or Flux leave',
  ]);
  expect(await collectNotes({ lifecycle: 'Suspended' }, { labels })).toEqual([
    'acme (Suspended) stays, with quotas and network policies, and without access for its users',
  ]);
});
