import { expect, test } from '@jest/globals';
import type { TenantSpec } from '../../../crds/tenantry/types.ts';
import type { Healer } from '../../../operator/heal/healer.ts';
import { createRevokeAccessTask } from '../../../operator/finalize/revoke-access.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';
import { fleetOf, liveTenant } from '../given.ts';

/** What is told of the namespace of a tenant that goes. */
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

test('of a tenant that goes it is told what access stays, which is whose Git leaves where it came from there', async () => {
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
