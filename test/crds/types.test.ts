import { expect, test } from '@jest/globals';
import { validate } from '@tenantry/crd/schema/validate';
import { platform, type PlatformSpec } from '../../crds/platform.ts';
import { tenant, type TenantSpec } from '../../crds/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';
import { named } from '../../crds/named.ts';
import type {
  ApiGroup,
  LimitAmounts,
  PolicyRule,
  QuotaAmounts,
  ResourceName,
  Verb,
} from '../../crds/types.ts';
import { enumOf, object, required, set, string } from '@tenantry/crd/schema/language';

const countFindings = (
  kind: typeof tenant | typeof tenantClass | typeof platform,
  spec: object,
): number => validate(kind.spec, spec).length;

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
  expect(countFindings(tenant, spec)).toBe(0);
  const klass: TenantClassSpec = { ceilings: { namespaces: 3 }, allow: { clusterRoles: ['x'] } };
  expect(countFindings(tenantClass, klass)).toBe(0);
  const clusters: PlatformSpec = { clusters: [{ name: 'eu1', kubernetesVersion: '1.36' }] };
  expect(countFindings(platform, clusters)).toBe(0);
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
  // @ts-expect-error an API group is always required
  const rule: TenantSpec = { access: { roles: [{ rules: [{ resources: [], verbs: [] }] }] } };
  // @ts-expect-error a total belongs to the tenant, an environment to a namespace
  const total: TenantClassSpec = { environments: [{ name: 'prod', quota: { total: {} } }] };
  // @ts-expect-error a cluster has a name
  const cluster: PlatformSpec = { clusters: [{}] };
  for (const spec of [unknown, nameless, word, misplaced, account, rule]) {
    expect(countFindings(tenant, spec)).toBeGreaterThan(0);
  }
  expect(countFindings(tenantClass, total)).toBeGreaterThan(0);
  expect(countFindings(platform, cluster)).toBeGreaterThan(0);
});

test('keys of quotas and limits that Kubernetes does not know are refused, extended resources pass', () => {
  const quota: QuotaAmounts = {
    pods: 10,
    'requests.cpu': '4',
    'requests.nvidia.com/gpu': 2,
    'nvidia.com/gpu': 2,
    'count/deployments.apps': 5,
    'gold.storageclass.storage.k8s.io/requests.storage': '1Ti',
    'hugepages-2Mi': '1Gi',
    'requests.hugepages-2Mi': '1Gi',
  };
  const limits: LimitAmounts = {
    cpu: '1',
    storage: '1Gi',
    'nvidia.com/gpu': 1,
    'hugepages-2Mi': 1,
  };
  // @ts-expect-error a typing mistake for pods
  const podz: QuotaAmounts = { podz: 10 };
  // @ts-expect-error an amount is a number or a quantity
  const switched: QuotaAmounts = { pods: true };
  // @ts-expect-error a quota counts pods, a limit does not
  const counted: LimitAmounts = { pods: 1 };
  // @ts-expect-error a typing mistake for requests.cpu
  const nested: TenantSpec = { quota: { total: { 'request.cpu': 1 } } };
  // @ts-expect-error a class has ceilings for the same keys
  const ceiling: TenantClassSpec = { ceilings: { quota: { podz: 10 } } };
  const item = (max: LimitAmounts): TenantSpec => ({ limits: { items: [{ type: 'Pod', max }] } });
  expect(countFindings(tenant, { quota: { hard: quota, total: quota } })).toBe(0);
  expect(countFindings(tenant, item(limits))).toBe(0);
  expect([podz, switched, counted, nested, ceiling]).toHaveLength(5);
});

test('an editor completes known names, and the compiler accepts any other name', () => {
  const rule: PolicyRule = {
    apiGroups: ['', 'apps', 'example.com'],
    resources: ['pods', 'pods/log', 'boxes'],
    verbs: ['get', 'approve'],
  };
  expect(countFindings(tenant, { access: { roles: [{ name: 'r', rules: [rule] }] } })).toBe(0);
  const words: [ApiGroup, ResourceName, Verb] = ['batch', 'cronjobs', 'deletecollection'];
  // @ts-expect-error a word
  const verb: Verb = 1;
  expect([...words, verb]).toHaveLength(4);
});

test('naming a schema with another type is refused', () => {
  const optional = object('', { users: set('', string('')) });
  // @ts-expect-error the type has more fields than the schema
  expect(named('Holders', optional)).toBeDefined();
  const mandatory = object('', { name: required(string('')), namespace: string('') });
  // @ts-expect-error the field is required in the type and optional in the schema
  expect(named('ServiceAccountReference', mandatory)).toBeDefined();
  const wider = object('', { deletion: enumOf('', ['Confirm', 'None', 'Never']) });
  // @ts-expect-error the schema takes a word that the type does not have
  expect(named('Protection', wider)).toBeDefined();
  const narrower = object('', { deletion: enumOf('', ['Confirm']) });
  // @ts-expect-error the type has a word that the schema does not take
  expect(named('Protection', narrower)).toBeDefined();
});
