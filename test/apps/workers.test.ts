import { expect, test } from '@jest/globals';
import { TenantClass } from '../../constructs/tenant/tree/tenantclass.ts';
import type { App } from '../../synth/app.ts';
import { configMap, platform, tenant, tenantClass, withFleet, type FleetFolder } from './fleet.ts';

/** More than what is left to one thread. */
const names = Array.from({ length: 550 }, (_, i) => `team-${String(i).padStart(3, '0')}`);

type Texts = Record<string, string>;

/** A warning comes of what looks like a placeholder and is none. */
const literal = JSON.parse(configMap('own', { say: '{tenant}' })) as object;

/** Many tenants: of some there is a warning, one has an exception, some include a file. */
const fleet: Texts = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }], environments: ['dev'] }),
  'tenants/classes/class.yaml': tenantClass('default', {
    defaults: { labels: { owner: '{tenant}' }, quota: { hard: { pods: 20 } } },
    ceilings: { quota: { pods: 50 } },
    exceptions: [{ tenants: ['team-007'], reason: 'It moves.', ceilings: { quota: { pods: 90 } } }],
  }),
  'tenants/resources/map.yaml': configMap('shared', { a: 'b' }),
  ...Object.fromEntries(
    names.map((name, i) => [
      `tenants/${name}.yaml`,
      tenant(name, {
        ...(i % 5 === 0 && { resources: [{ file: 'resources/map.yaml' }] }),
        ...(i % 7 === 1 && { resources: [{ manifest: literal }] }),
        ...(i % 11 === 0 && { network: { allowFrom: [{ name: 'in', namespaces: ['gone'] }] } }),
        ...(i === 7 && { quota: { hard: { pods: 80 } } }),
      }),
    ]),
  ),
};

/** What one thread and several make of the same folder. */
function both(texts: Texts, add?: (app: App) => void) {
  const render = (workers: number) =>
    withFleet({ ...fleet, ...texts }, (given: FleetFolder) => {
      const { problems, warnings, summary } = given.render({ workers, ...(add && { add }) });
      const strip = (text: string) => text.replaceAll(`${given.folder}/`, '');
      return {
        problems: problems.map(strip),
        warnings: warnings.map(strip),
        objects: summary?.objects,
        holders: summary?.holders,
        files: summary ? given.files() : {},
      };
    });
  return [render(1), render(3)] as const;
}

test('several threads write the bytes of one, and say what it says in its order', () => {
  const add = (app: App) =>
    void new TenantClass(app, 'gold', { defaults: { labels: { metal: 'gold' } } });
  const golden = names
    .slice(200, 300)
    .map((name) => [`tenants/${name}.yaml`, tenant(name, { className: 'gold' })]);
  const [one, several] = both(Object.fromEntries(golden) as Texts, add);
  expect(one.problems).toEqual([]);
  expect(one.warnings.length).toBeGreaterThan(100);
  // A hundred namespaces, and the class.
  expect(Object.values(one.files).filter((text) => text.includes('metal: gold')).length).toBe(101);
  expect(several).toEqual(one);
});

test.each<[string, Texts]>([
  [
    'mistakes in tenants',
    {
      'tenants/zzz.yaml': tenant('team-321'),
      'tenants/team-100.yaml': tenant('team-100', { namespaces: [{ name: 'team-400' }] }),
      ...Object.fromEntries(
        ['team-150', 'team-500'].map((name) => [
          `tenants/${name}.yaml`,
          tenant(name, { namespaces: [{ name, environment: 'stage' }] }),
        ]),
      ),
      'tenants/team-450.yaml': tenant('team-450', { quota: { hard: { pods: 'x' } } }),
      'tenants/team-460.yaml': 'a: [',
      'tenants/resources/map.yaml': '{',
    },
  ],
  ['a broken class', { 'tenants/classes/gold.yaml': tenantClass('gold', { extends: 'silver' }) }],
])('several threads say of %s what one says', (_what, texts) => {
  const [one, several] = both(texts);
  expect(one.problems.length).toBeGreaterThan(0);
  expect(several).toEqual(one);
});
