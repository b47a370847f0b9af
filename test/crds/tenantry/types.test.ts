import { expect, test } from '@jest/globals';
import { validate } from '../../../schema/validate.ts';
import { platform, type PlatformSpec } from '../../../crds/tenantry/platform.ts';
import { tenant, type TenantSpec } from '../../../crds/tenantry/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../../crds/tenantry/tenantclass.ts';

const told = (kind: typeof tenant | typeof tenantClass | typeof platform, spec: object): number =>
  validate(kind.spec, spec).length;

test('what the compiler accepts the validator accepts', () => {
  const spec: TenantSpec = {
    className: 'standard',
    lifecycle: 'Suspended',
    namespaces: [{ name: 'pay', environment: 'prod', quota: { hard: { pods: 5 }, weight: 2 } }],
    quota: { preset: 'medium', total: { 'requests.cpu': '4' } },
    access: {
      admins: { users: ['alice'], serviceAccounts: [{ name: 'ci', namespace: 'pay' }] },
      roles: [{ name: 'r', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
    },
    network: { isolation: 'SameTenant', allowFrom: [{ name: 'a', cidrs: ['10.0.0.0/8'] }] },
    podSecurity: { enforce: 'none' },
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } }],
  };
  expect(told(tenant, spec)).toBe(0);
  const klass: TenantClassSpec = { ceilings: { namespaces: 3 }, allow: { clusterRoles: ['x'] } };
  expect(told(tenantClass, klass)).toBe(0);
  const clusters: PlatformSpec = { clusters: [{ name: 'eu1', kubernetesVersion: '1.36' }] };
  expect(told(platform, clusters)).toBe(0);
});

test('what the validator refuses the compiler refuses', () => {
  // @ts-expect-error there is no such field
  const unknown: TenantSpec = { klassName: 'standard' };
  // @ts-expect-error a namespace has a name
  const nameless: TenantSpec = { namespaces: [{ environment: 'prod' }] };
  // @ts-expect-error one of three words
  const word: TenantSpec = { lifecycle: 'active' };
  // @ts-expect-error a share is for a namespace, a total for a tenant
  const misplaced: TenantSpec = { quota: { weight: 2 } };
  // @ts-expect-error a service account has a namespace
  const account: TenantSpec = { access: { admins: { serviceAccounts: [{ name: 'ci' }] } } };
  // @ts-expect-error an API group is always said
  const rule: TenantSpec = { access: { roles: [{ rules: [{ resources: [], verbs: [] }] }] } };
  // @ts-expect-error a total is of the tenant, an environment is of a namespace
  const total: TenantClassSpec = { environments: [{ name: 'prod', quota: { total: {} } }] };
  // @ts-expect-error a cluster has a name
  const cluster: PlatformSpec = { clusters: [{}] };
  for (const spec of [unknown, nameless, word, misplaced, account, rule]) {
    expect(told(tenant, spec)).toBeGreaterThan(0);
  }
  expect(told(tenantClass, total)).toBeGreaterThan(0);
  expect(told(platform, cluster)).toBeGreaterThan(0);
});
