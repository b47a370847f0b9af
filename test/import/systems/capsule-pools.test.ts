import { expect, test } from '@jest/globals';
import { namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes, type SystemImport } from './import-system.ts';

const oil = namespaces('oil', { 'oil-dev': '', 'oil-prod': '' }) + tenant('oil', '{}');

const pool = (spec: string, status = '{}'): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: { name: big }
spec: { selectors: [{ matchLabels: { capsule.clastix.io/tenant: oil } }], quota: { hard: { limits.cpu: '4', pods: '10' } }, ${spec} }
status: ${status}
---`;

const claim = (name: string, namespace: string, amounts: string, of = 'big'): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePoolClaim
metadata: { name: ${name}, namespace: ${namespace} }
spec: { pool: '${of}', claim: ${amounts} }
---`;

function listQuotas({ result }: SystemImport): Record<string, unknown> {
  const quotas = result.proof.objects.filter(({ found }) => found.object.kind === 'ResourceQuota');
  return Object.fromEntries(
    quotas.map(({ found: { object } }) => [
      object.metadata.namespace,
      (object['spec'] as { readonly hard: unknown }).hard,
    ]),
  );
}

test('a namespace gets what it claims and the defaults, and claims are fixed from then on', () => {
  const source =
    oil +
    pool('defaults: { pods: 1 }') +
    claim('a', 'oil-dev', '{ limits.cpu: 500m }') +
    claim('b', 'oil-dev', `{ limits.cpu: '2', pods: 2 }`) +
    claim('c', 'oil-prod', '{ pods: 3 }') +
    claim('lost', 'oil-prod', '{ pods: 3 }', 'small');
  const imported = importSystem(source);
  expect(listQuotas(imported)).toEqual({
    'oil-dev': { 'limits.cpu': '2500m', pods: '3' },
    'oil-prod': { pods: '4' },
  });
  expect(imported.report.objects).toMatchObject({ equal: 4, different: 0, added: 0 });
  expect(readOutcomes(imported, 'ResourcePool big')).toMatchObject({
    'spec.selectors': expect.stringMatching(/^taken: /),
    'spec.quota': expect.stringMatching(/^changed: .*further claim/),
  });
  expect(readOutcomes(imported, 'ResourcePoolClaim oil-prod/lost')).toEqual({
    spec: 'left: the source has no ResourcePool small',
  });
});

test('with `defaultsZero` a namespace that claims nothing may use nothing', () => {
  const imported = importSystem(oil + pool('config: { defaultsZero: true }'));
  const nothing = { 'limits.cpu': 0, pods: 0 };
  expect(listQuotas(imported)).toEqual({ 'oil-dev': nothing, 'oil-prod': nothing });
});

test('claims for more than the pool has are left, unless its status lists which ones it gave', () => {
  const claims = claim('a', 'oil-dev', '{ pods: 8 }') + claim('b', 'oil-prod', '{ pods: 8 }');
  const unknown = importSystem(oil + pool('') + claims);
  expect(listQuotas(unknown)).toEqual({});
  expect(readOutcomes(unknown, 'ResourcePool big')).toMatchObject({
    'spec.quota': expect.stringMatching(/^left: more pods is claimed/),
  });
  const known = importSystem(
    oil + pool('', '{ claims: { oil-prod: [{ name: b, uid: x }] } }') + claims,
  );
  expect(listQuotas(known)).toEqual({ 'oil-prod': { pods: 8 } });
  expect(readOutcomes(known, 'ResourcePoolClaim oil-dev/a')).toEqual({
    spec: 'left: the pool has not given it what it claims',
  });
});

test('a pool that bounds a namespace leaves no room for a total of the tenant', () => {
  const total = tenant('oil', `{ resourceQuotas: { items: [{ hard: { pods: '100' } }] } }`);
  const source = namespaces('oil', { 'oil-dev': '' }) + total;
  const imported = importSystem(source + pool('') + claim('a', 'oil-dev', '{ pods: 8 }'));
  expect(listQuotas(imported)).toEqual({ 'oil-dev': { pods: 8 } });
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.resourceQuotas.items[0].hard': expect.stringMatching(/^left: oil-dev also has/),
  });
});
