import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { ApiObject, Chart } from 'cdk8s';
import { beginTask, type TenantTask } from '../../apps/tenant-task.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { App } from '../../synth/app.ts';

/** Runs after the program has read its files, and before workers have. */
let meanwhile: (tenants: string) => void = () => {};

/** The results of workers in the last rendering, by share; `nothing` for failed ones. */
const made: unknown[] = [];

/** Replaces threads, which may be late, by a worker that is always ahead of the program. */
class PromptWorkers {
  readonly #work: (share: number) => unknown;

  constructor(_program: string, task: TenantTask) {
    made.length = 0;
    meanwhile(task.input.tenants);
    this.#work = beginTask(structuredClone(task));
  }

  take(share: number) {
    const result = structuredClone(this.#work(share));
    made.push(result);
    return { result };
  }

  close(): void {}
}

jest.unstable_mockModule('../../synth/workers/pool.ts', () => ({
  WorkerPool: PromptWorkers,
  usualWorkers: () => 1,
}));

const { configMap, platform, tenant, tenantClass, withFleet } = await import('./fleet.ts');
const { TenantClass } = await import('../../constructs/tenant/tenant-class.ts');
const { setOutputPath } = await import('../../synth/charts.ts');

type Texts = Record<string, string>;

const names = Array.from({ length: 70 }, (_, i) => `team-${i}`);

/** A text that looks like a placeholder but is none causes a warning. */
const literal = JSON.parse(configMap('own', { say: '{tenant}' })) as object;

/** Some tenants have a warning, one has an exception, and some include a file. */
const fleet: Texts = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }], environments: ['dev'] }),
  'tenants/classes/class.yaml': tenantClass('default', {
    defaults: { labels: { owner: '{tenant}' }, quota: { hard: { pods: 20 } } },
    ceilings: { quota: { pods: 50 } },
    exceptions: [{ tenants: ['team-7'], reason: 'It moves.', ceilings: { quota: { pods: 90 } } }],
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

/** Renders the same folder with one thread and with several. */
function both(texts: Texts, add?: (app: App) => void) {
  const render = (workers: number) =>
    withFleet({ ...fleet, ...texts }, (given) => {
      const { problems, warnings, summary } = given.render({ workers, ...(add && { add }) });
      const strip = (text: string) => text.replaceAll(`${given.folder}/`, '');
      return {
        problems: problems.map(strip),
        warnings: warnings.map(strip),
        objects: summary?.objects,
        holders: summary?.holders,
        exemptions: summary?.exemptions.map(({ whom, what }) => [whom, what]),
        files: summary ? given.files() : {},
      };
    });
  return [render(1), render(2)] as const;
}

const golden = Object.fromEntries(
  names.slice(20, 30).map((name) => [`tenants/${name}.yaml`, tenant(name, { className: 'gold' })]),
);

const gold = (spec: TenantClassSpec) => (app: App) => void new TenantClass(app, 'gold', spec);

test('several threads write the same bytes as one, and report in the same order', () => {
  const [one, several] = both(golden, gold({ defaults: { labels: { metal: 'gold' } } }));
  expect(one.problems).toEqual([]);
  expect(one.warnings.length).toBeGreaterThan(10);
  expect(one.exemptions).toHaveLength(1);
  // Ten namespaces, and the class.
  expect(Object.values(one.files).filter((text) => text.includes('metal: gold'))).toHaveLength(11);
  expect(several).toEqual(one);
  expect(made.flat().filter((unit) => unit === undefined)).toEqual([]);
  expect(made.flat()).toHaveLength(names.length + 1);
});

/** Adds an object that a tenant has too. */
function clash(app: App): void {
  const chart = new Chart(app, 'own');
  setOutputPath(chart, 'clusters/eu1/extra/own.yaml');
  const metadata = { name: 'tenant-quota', namespace: 'team-53' };
  new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata });
}

test.each<[string, Texts, (app: App) => void]>([
  [
    'mistakes in tenants',
    {
      'tenants/zzz.yaml': tenant('team-32'),
      'tenants/team-10.yaml': tenant('team-10', { namespaces: [{ name: 'team-40' }] }),
      ...Object.fromEntries(
        ['team-15', 'team-50'].map((name) => [
          `tenants/${name}.yaml`,
          tenant(name, { namespaces: [{ name, environment: 'stage' }] }),
        ]),
      ),
      'tenants/team-45.yaml': tenant('team-45', { quota: { hard: { pods: 'x' } } }),
      'tenants/team-46.yaml': 'a: [',
      'tenants/resources/map.yaml': '{',
    },
    () => {},
  ],
  ['an object that a chart and a tenant have', {}, clash],
  [
    'a class in TypeScript that cannot be used',
    golden,
    gold({ defaults: { quota: { hard: { pods: 'many' } } } }),
  ],
])('several threads report %s like one', (_what, texts, add) => {
  const [one, several] = both(texts, add);
  expect(one.problems.length).toBeGreaterThan(0);
  expect(several).toEqual(one);
});

test('a file that changes while threads start is rendered as the program has read it', () => {
  meanwhile = (tenants) => writeFileSync(join(tenants, 'team-5.yaml'), tenant('team-5'));
  try {
    const [one, several] = both({});
    expect(several).toEqual(one);
    expect(made.flat()).toHaveLength(names.length + 1);
  } finally {
    meanwhile = () => {};
  }
});

test('a worker that finds a different fleet than the program does nothing', () => {
  const task = { input: { tenants: 'nowhere', platform: 'nowhere.yaml' }, environment: 'other' };
  const part = {
    content: { declarations: [], unread: [], files: new Set(), problems: new Map() },
    names: [],
  };
  expect(() =>
    beginTask({ ...task, part, classes: [], names: [], remembers: false } as unknown as TenantTask),
  ).toThrow('the fleet must be that of the task');
});
