import { expect, test } from '@jest/globals';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import { inFleet, platform, tenant, tenantClass, withoutOrigins } from './fleet.ts';

const repoURL = 'https://git.example.com/shop.git';
const klass = { allow: { sourceRepos: [repoURL] } };
const spec = {
  className: 'standard',
  argocd: {
    sourceRepos: [repoURL],
    applications: [{ name: 'web', source: { repoURL, path: '.' } }],
  },
};
const settings = { defaultClass: 'standard', argocd: { impersonation: 'Enabled' } };
const declared = {
  'tenantry.yaml': platform(settings),
  'tenants/classes/standard.yaml': tenantClass('standard', klass),
  'tenants/shop.yaml': tenant('shop', spec),
};
const names = ['argocd/tenants/shop/applications.yaml', 'argocd/tenants/shop/project.yaml'];

test(
  'what Argo CD needs for a tenant lies in a folder of the tenant, and is written and remembered alike',
  inFleet(declared, (fleet) => {
    const memory = 'memory';
    const first = fleet.rendered({ memory });
    expect(Object.keys(first).filter((name) => name.startsWith('argocd/'))).toEqual(names);
    expect(first[names[0]!]).toContain('\n  name: shop.in-cluster.web\n');
    expect(first[names[1]!]).toContain('\n  name: tenant-shop\n');
    expect(fleet.rendered({ memory })).toEqual(first);
    fleet.write({ 'tenants/shop.yaml': tenant('shop', { className: 'standard' }) });
    const without = Object.keys(fleet.rendered({ memory }));
    expect(without.filter((name) => name.startsWith('argocd/'))).toEqual([]);
    expect(without).toContain('clusters/in-cluster/tenants/shop/tenant.yaml');
  }),
);

test(
  'a tenant in TypeScript has the same files',
  inFleet(declared, (fleet) => {
    const files = fleet.rendered();
    fleet.remove('tenants/shop.yaml');
    fleet.remove('tenants/classes/standard.yaml');
    const add = fleet.rendered({
      add: (app) => {
        new TenantClass(app, 'standard', klass);
        new Tenant(app, 'shop', spec);
      },
    });
    const [one, other] = [files, add].map(withoutOrigins);
    for (const name of names) expect(other![name]).toBe(one![name]);
  }),
);
