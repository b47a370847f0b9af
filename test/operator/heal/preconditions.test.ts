import { expect, test } from '@jest/globals';
import { tenant } from '../../../crds/tenant.ts';
import { tenantClass } from '../../../crds/tenant-class.ts';
import { Tenant, TenantClass } from '../../../operator/cluster/kinds.ts';
import {
  DeclarationSnapshot,
  classifyNamespace,
  type DeclarationCache,
} from '../../../operator/heal/preconditions.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { SimulatedApiServer } from '@tenantry/testing/simulation/server/simulated-api-server';
import { resolvePlatform } from '../../../model/platform.ts';
import type { DriftPolicy } from '../../../crds/types.ts';
import { allowedPolicy } from '../../../model/drift-policy.ts';

/** Returns a server with a tenant of the class `child`, which extends `standard`, and with an unrelated class. */
async function given() {
  const server = new SimulatedApiServer({
    clock: new VirtualClock(),
    definitions: [tenant, tenantClass],
  });
  const client = server.client();
  await client.create(TenantClass, { metadata: { name: 'standard' }, spec: {} });
  await client.create(TenantClass, { metadata: { name: 'child' }, spec: { extends: 'standard' } });
  await client.create(TenantClass, { metadata: { name: 'other' }, spec: {} });
  await client.create(Tenant, { metadata: { name: 'acme' }, spec: { className: 'child' } });
  const memory = new Map<string, Live>();
  const remember = async (): Promise<void> => {
    memory.clear();
    for (const kind of [Tenant, TenantClass]) {
      for (const one of (await client.list(kind)).items) {
        memory.set(`${kind.kind} ${one.metadata.name}`, one);
      }
    }
  };
  await remember();
  const declarations = {
    get: (kind: typeof Tenant, { name }: { readonly name: string }) =>
      memory.get(`${kind.kind} ${name}`),
  } as unknown as DeclarationCache;
  const decided = new DeclarationSnapshot(
    await client.get(Tenant, { name: 'acme' }),
    declarations,
    'standard',
  );
  return { client, remember, decided };
}

type World = Awaited<ReturnType<typeof given>>;
type Act = (client: World['client']) => Promise<unknown>;

const edit: Act = (client) => client.patch(Tenant, { name: 'acme' }, { spec: { cordoned: true } });
const editClass =
  (name: string): Act =>
  (client) =>
    client.patch(TenantClass, { name }, { spec: { description: 'changed' } });
const remake =
  (name: string): Act =>
  async (client) => {
    await client.delete(TenantClass, { name });
    await client.create(TenantClass, { metadata: { name }, spec: {} });
  };

test.each<[string, Act, boolean, boolean]>([
  ['nothing happens', () => Promise.resolve(), true, true],
  ['the Tenant is edited', edit, false, true],
  ['the Tenant goes', (client) => client.delete(Tenant, { name: 'acme' }), false, true],
  ['its class is edited', editClass('child'), false, false],
  ['the class that this extends is edited', editClass('standard'), false, false],
  ['that class goes', (client) => client.delete(TenantClass, { name: 'standard' }), false, false],
  ['that class is created again', remake('standard'), false, false],
  ['another class is edited', editClass('other'), true, true],
])('where %s, the healing step detects it', async (_, act, isCurrent, hasClasses) => {
  const { client, remember, decided } = await given();
  await act(client);
  // The cache has not observed it yet; the API server has.
  expect(decided.isCurrent()).toBe(true);
  expect(await decided.hasCurrentClasses(client)).toBe(hasClasses);
  await remember();
  expect(decided.isCurrent()).toBe(isCurrent);
});

const platform = resolvePlatform();
const namespace = (name: string, labels: Readonly<Record<string, string>>, gone = false) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels, ...(gone && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
});
const ground = (
  name: string,
  labels?: Readonly<Record<string, string>>,
  policy: DriftPolicy = 'Heal',
) => {
  const live = labels && namespace(name, labels);
  return classifyNamespace(name, live, { tenant: 'pay', platform, policy });
};

test('a namespace belongs to a tenant by its label alone', () => {
  expect(ground('a')).toBe('absent');
  expect(ground('a', { 'tenantry.dev/tenant': 'pay' })).toBe('own');
  expect(ground('a', {})).toEqual({
    notOurs:
      'it exists, has no label tenantry.dev/adopt-by: pay, and is none of releasedNamespaces',
  });
  const going = namespace('a', { 'tenantry.dev/tenant': 'pay' }, true);
  expect(classifyNamespace('a', going, { tenant: 'pay', platform, policy: 'Heal' })).toBe(
    'terminating',
  );
});

test('an unowned namespace is adopted through a label for this tenant, under Heal; owned and protected ones never are', () => {
  const heir = { 'tenantry.dev/adopt-by': 'pay' };
  expect(ground('a', heir)).toBe('adopted');
  expect(ground('a', heir, 'Create')).toEqual({
    notOurs: 'Create adopts no namespaces; only Heal does',
  });
  expect(ground('a', { 'tenantry.dev/adopt-by': 'other' })).toHaveProperty('notOurs');
  expect(ground('a', { ...heir, 'tenantry.dev/tenant': 'other' })).toEqual({
    notOurs: 'its label names tenant other'.replace('’', "'"),
  });
  for (const name of ['kube-system', 'default', 'argocd', 'tenantry-system', 'cert-manager']) {
    expect(ground(name, { ...heir, 'tenantry.dev/tenant': 'pay' })).toHaveProperty('notOurs');
    expect(ground(name)).toHaveProperty('notOurs');
  }
});

test('an unowned namespace that the platform releases is adopted too, and one of another tenant is not', () => {
  const released = resolvePlatform({ releasedNamespaces: ['a'] });
  const groundThere = (labels: Readonly<Record<string, string>>, name = 'a') =>
    classifyNamespace(name, namespace(name, labels), {
      tenant: 'pay',
      platform: released,
      policy: 'Heal',
    });
  expect(groundThere({})).toBe('adopted');
  expect(groundThere({}, 'b')).toHaveProperty('notOurs');
  expect(groundThere({ 'tenantry.dev/tenant': 'other' })).toHaveProperty('notOurs');
});

test('no policy exceeds the allowed policy', () => {
  const all = ['Observe', 'Create', 'Heal'] as const;
  expect(all.map((asked) => all.map((most) => allowedPolicy(asked, most)))).toEqual([
    ['Observe', 'Observe', 'Observe'],
    ['Observe', 'Create', 'Create'],
    ['Observe', 'Create', 'Heal'],
  ]);
});
