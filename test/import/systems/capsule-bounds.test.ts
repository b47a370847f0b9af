import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { parseQuantity } from '@tenantry/kube/quantity';
import { made, namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes, readTenant, type SystemImport } from './import-system.ts';

const oil = namespaces('oil', { 'oil-dev': '', 'oil-prod': 'stage: live' });

/** The sum of what the rendered ResourceQuotas allow, by key. */
function sumQuotas({ result }: SystemImport): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { kind, ...object } of result.proof.added) {
    if (kind !== 'ResourceQuota') continue;
    const { hard } = object['spec'] as { readonly hard: Record<string, string> };
    for (const [key, amount] of Object.entries(hard)) {
      sums[key] = (sums[key] ?? 0n) + parseQuantity(amount)!;
    }
  }
  return sums;
}

test('a quota of the Tenant is the total of the tenant, with the smallest amount of each key', () => {
  const spec = `{ resourceQuotas: { items: [
    { hard: { limits.cpu: '8', pods: '10' } }, { hard: { pods: '20', services: '1' } } ] } }`;
  const imported = importSystem(oil + tenant('oil', spec), ['Tenant oil']);
  expect(readTenant(imported, 'oil')).toMatchObject({
    quota: { total: { 'limits.cpu': '8', pods: '10', services: '1' } },
  });
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.resourceQuotas.items[0].hard': expect.stringMatching(
      /^changed: .*equal parts.*services$/,
    ),
    'spec.resourceQuotas.items[1].hard': expect.stringMatching(/^changed: /),
  });
  expect(imported.report.outcome).toBe('done');
});

test('a quota of a Tenant with one namespace is its own', () => {
  const spec = `{ resourceQuotas: { scope: Tenant, items: [{ hard: { pods: 5 } }] } }`;
  const imported = importSystem(namespaces('oil', { 'oil-dev': '' }) + tenant('oil', spec));
  expect(sumQuotas(imported)).toEqual({ pods: parseQuantity(5) });
  expect(imported.report.outcome).toBe('done');
});

test('the quotas of all namespaces together never allow more than any quota of the Tenant', () => {
  const amount = fc.oneof(
    fc.integer({ min: 0, max: 50 }).map(String),
    fc.constantFrom('1Gi', '1500Mi', '100m', '2', '3k'),
  );
  const hard = fc.dictionary(fc.constantFrom('pods', 'limits.memory', 'requests.cpu'), amount, {
    minKeys: 1,
  });
  fc.assert(
    fc.property(
      fc.array(hard, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      (items, count) => {
        const names = Object.fromEntries(
          Array.from({ length: count }, (_none, i) => [`n${i}`, '']),
        );
        const spec = JSON.stringify({
          resourceQuotas: { items: items.map((one) => ({ hard: one })) },
        });
        const imported = importSystem(namespaces('oil', names) + tenant('oil', spec));
        const sums = sumQuotas(imported);
        const isLeft = Object.values(readOutcomes(imported, 'Tenant oil')).some((one) =>
          one.startsWith('left'),
        );
        for (const [key, most] of items.flatMap((one) => Object.entries(one))) {
          if (isLeft) expect(imported.report.outcome).toBe('different');
          else expect(sums[key]!).toBeLessThanOrEqual(parseQuantity(most)!);
        }
      },
    ),
    runs(40),
  );
});

test('a total is left if a namespace also has a quota of its own', () => {
  const own = `
apiVersion: v1
kind: ResourceQuota
metadata: { name: own, namespace: oil-prod }
spec: { hard: { pods: '10' } }
---`;
  const spec = `{ resourceQuotas: { items: [{ hard: { pods: '100' } }] } }`;
  const imported = importSystem(oil + own + tenant('oil', spec));
  expect(readOutcomes(imported, 'Tenant oil')).toEqual({
    'spec.resourceQuotas.items[0].hard': expect.stringMatching(/^left: oil-prod also has/),
  });
  expect(imported.report.objects).toMatchObject({ equal: 3, different: 0, added: 0 });
});

test('a total is left if a mapping gives the tenant other namespaces', () => {
  const spec = `{ resourceQuotas: { items: [{ hard: { pods: '100' } }] } }`;
  const imported = importSystem(
    oil + tenant('oil', spec),
    [],
    undefined,
    new Map([['oil-prod', 'gas']]),
  );
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.resourceQuotas.items[0].hard': expect.stringMatching(
      /^left: oil-prod is not declared for the tenant oil/,
    ),
  });
  expect(sumQuotas(imported)).toEqual({});
});

test('a quota for some pods is no total', () => {
  const spec = `{ resourceQuotas: { items: [{ hard: { pods: '1' }, scopes: [BestEffort] }] } }`;
  const imported = importSystem(oil + tenant('oil', spec));
  expect(Object.values(readOutcomes(imported, 'Tenant oil'))).toEqual([
    expect.stringMatching(/^left: /),
    expect.stringMatching(/^left: /),
  ]);
});

test('quotas of the scope Namespace are in each namespace, and the copies are explained', () => {
  const spec = `{ resourceQuotas: { scope: Namespace, items: [
    { hard: { pods: '10' } }, { hard: { pods: '1' }, scopes: [BestEffort] } ] } }`;
  const copy = made('ResourceQuota', 'capsule-oil-0', 'oil', `spec: { hard: { pods: 10 } }`);
  const larger = made('ResourceQuota', 'capsule-oil-9', 'oil', `spec: { hard: { pods: 11 } }`);
  const imported = importSystem(oil + tenant('oil', spec) + copy + larger);
  expect(readTenant(imported, 'oil')).not.toHaveProperty('quota.total');
  expect(imported.report.objects).toMatchObject({ different: 0, added: 0 });
  const quotas = imported.result.proof.objects.filter(
    ({ verdict, found }) => verdict === 'equal' && found.object.kind === 'ResourceQuota',
  );
  expect(quotas.map(({ found }) => found.object.metadata)).toMatchObject([
    { namespace: 'oil-dev', name: 'tenant-quota' },
    { namespace: 'oil-dev', name: 'tenant-quota-1' },
    { namespace: 'oil-prod', name: 'tenant-quota' },
    { namespace: 'oil-prod', name: 'tenant-quota-1' },
  ]);
  expect(imported.report.leftOut).toMatchObject([
    { object: 'ResourceQuota oil-dev/capsule-oil-9', accepted: false },
  ]);
  expect(imported.report.made).toMatchObject([{ kind: 'ResourceQuota', objects: 1 }]);
});

test('what Capsule gives a namespace of a shared quota at a moment is no declaration', () => {
  const spec = `{ resourceQuotas: { items: [{ hard: { pods: '10' } }] } }`;
  const copy = made('ResourceQuota', 'capsule-oil-0', 'oil', `spec: { hard: { pods: '7' } }`);
  const imported = importSystem(oil + tenant('oil', spec) + copy);
  expect(sumQuotas(imported)).toEqual({ pods: parseQuantity(10) });
  expect(imported.report.made).toMatchObject([{ kind: 'ResourceQuota', objects: 1 }]);
});

const shared = (selector: string, hard: string): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: GlobalResourceQuota
metadata: { name: shared }
spec: { namespaceSelectors: [${selector}], quota: { hard: ${hard} } }
---`;

test('shared quotas of rules and for exactly the namespaces of a tenant are a part of its total', () => {
  const spec = `{ rules: [{ quota: [{ name: all, hard: { pods: '8' } }] }, { namespaceSelector: { matchLabels: { stage: live } }, quota: [{ name: some, hard: { pods: '1' } }] }] }`;
  const all = '{ matchLabels: { capsule.clastix.io/tenant: oil } }';
  const imported = importSystem(
    oil + tenant('oil', spec) + shared(all, `{ pods: '6', services: '4' }`),
  );
  expect(readTenant(imported, 'oil')).toMatchObject({
    quota: { total: { pods: '6', services: '4' } },
  });
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.rules[0].quota[0].hard': expect.stringMatching(/^changed: /),
    'spec.rules[1].quota[0].hard': expect.stringMatching(/^left: it is shared by some/),
  });
  const other = namespaces('gas', { 'gas-dev': '' }) + tenant('gas', '{}');
  const wide = importSystem(oil + other + tenant('oil', '{}') + shared('{}', `{ pods: '6' }`));
  expect(readOutcomes(wide, 'GlobalResourceQuota shared')).toEqual({
    spec: expect.stringMatching(/^left: it is shared by other/),
  });
  expect(sumQuotas(wide)).toEqual({});
});

test('LimitRanges become one with the strictest bounds, and conflicting defaults are left', () => {
  const spec = `{ limitRanges: { items: [
    { limits: [{ type: Pod, max: { cpu: '4' }, min: { cpu: 10m } }, { type: PersistentVolumeClaim, max: { storage: 1Gi } }] },
    { limits: [{ type: Pod, max: { cpu: 2000m, memory: 1Gi }, min: { cpu: 50m } }, { type: Container, default: { cpu: 500m } }] },
    { limits: [{ type: Container, max: { cpu: '1' } }] } ] } }`;
  const imported = importSystem(oil + tenant('oil', spec));
  const range = imported.result.proof.objects.find(
    ({ found }) => found.object.kind === 'LimitRange',
  );
  expect(range).toMatchObject({
    verdict: 'equal',
    found: {
      object: {
        spec: {
          limits: [
            { type: 'Pod', max: { cpu: '2000m', memory: '1Gi' }, min: { cpu: '50m' } },
            { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
            { type: 'Container', default: { cpu: '500m' } },
          ],
        },
      },
    },
  });
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.limitRanges.items[1]': 'taken: `limits` of the namespaces',
    'spec.limitRanges.items[2]': expect.stringMatching(/^left: another LimitRange/),
  });
});

test('network policies are in each namespace, and one that the API server refuses is left', () => {
  const spec = `{ networkPolicies: { items: [
    { podSelector: {}, policyTypes: [Ingress, Egress] }, { podSelector: {}, ingres: [{}] } ] } }`;
  const copy = made(
    'NetworkPolicy',
    'capsule-oil-0',
    'oil',
    'spec: { podSelector: {}, policyTypes: [Egress, Ingress] }',
  );
  const open = made(
    'NetworkPolicy',
    'capsule-oil-1',
    'oil',
    'spec: { podSelector: {}, ingress: [{}] }',
  );
  const imported = importSystem(oil + tenant('oil', spec) + copy + open);
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.networkPolicies.items[0]': 'taken: `network` of the namespaces',
    'spec.networkPolicies.items[1]': expect.stringMatching(/^left: the API server refuses it/),
  });
  expect(imported.report.leftOut).toMatchObject([
    { object: 'NetworkPolicy oil-dev/capsule-oil-1', accepted: false },
  ]);
  expect(imported.report.made).toMatchObject([{ kind: 'NetworkPolicy', objects: 1 }]);
  expect(imported.report.objects.added).toBe(0);
});
