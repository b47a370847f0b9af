import { expect } from '@jest/globals';
import { tenant } from '../../crds/tenant.ts';
import type { TenantSpec } from '../../crds/types.ts';
import { renderTenant } from '../../model/declared-objects.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { ofOneVersion, serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

/** The spec of Tenants, under a kind that no other test uses. */
const kind = { apiVersion: 'applied.example.com/v1', kind: 'Tenant', plural: 'tenants' };

const full: TenantSpec = {
  className: 'standard',
  labels: { team: 'a' },
  quota: { hard: { pods: 1 } },
  access: { viewers: { users: ['alice'] } },
  namespaces: [{ name: 'a', quota: { hard: { pods: 1 } }, access: { viewers: { users: ['b'] } } }],
};
const className = 'standard';

test('a mapping of a tenant can become empty between two applies of Argo CD', async () => {
  const { admin } = given.cluster;
  await serve(admin, ofOneVersion(kind, { type: 'object', properties: { spec: tenant.spec } }));
  const emptied: readonly TenantSpec[] = [
    { className, access: {} },
    { className, labels: {}, quota: { hard: {} } },
    { className, namespaces: [{ name: 'a', quota: {}, access: {} }] },
    {},
    { access: {}, quota: { hard: {} } },
  ];
  for (const [i, spec] of emptied.entries()) {
    const name = `emptied-${i}`;
    const apply = async (object: object): Promise<number> => {
      const body = { ...object, apiVersion: kind.apiVersion } as Body;
      return (await admin.apply(body, { fieldManager: 'argocd-controller' })).status;
    };
    expect(await apply(renderTenant({ name, spec: full }))).toBe(201);
    // The API server reads null, as declared.
    expect(await apply({ kind: 'Tenant', metadata: { name }, spec })).toBe(422);
    expect(await apply(renderTenant({ name, spec }))).toBe(200);
  }
});
