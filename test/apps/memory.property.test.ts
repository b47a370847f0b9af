import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ApiObject, Chart } from 'cdk8s';
import fc from 'fast-check';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import type { App } from '../../synth/app.ts';
import type { UnitRecord } from '../../synth/render-cache.ts';
import { setOutputPath } from '../../synth/charts.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { settle } from '../synth/output/folders.ts';
import { configMap, platform, tenant, tenantClass, withFleet, type FleetFolder } from './fleet.ts';

/** Outputs of one input: with a memory and without. Both suffer the same by hand. */
const outputs = ['remembered', 'plain'];

const memoryFiles = (fleet: FleetFolder): string[] => {
  const folder = join(fleet.folder, 'memory');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** What an app in TypeScript adds: nothing, a tenant, a class, or objects that may clash. */
const additions: Record<string, (app: App) => void> = {
  nothing: () => {},
  tenant: (app) => void new Tenant(app, 'typed', { namespaces: [{ name: 't0-n' }] }),
  other: (app) => void new Tenant(app, 't1'),
  class: (app) => void new TenantClass(app, 'gold', { defaults: { labels: { metal: 'gold' } } }),
  clash: (app) => object(app, { kind: 'ResourceQuota', name: 'tenant-quota', namespace: 't0' }),
  self: (app) => object(app, { kind: 'Tenant', name: 't0', apiVersion: 'tenantry.dev/v1alpha1' }),
  beside: (app) => object(app, { kind: 'ConfigMap', name: 'own', namespace: 't0' }),
};

function object(app: App, { kind, apiVersion = 'v1', ...metadata }: Record<string, string>): void {
  const chart = new Chart(app, 'own');
  setOutputPath(chart, 'clusters/eu1/extra/own.yaml');
  new ApiObject(chart, 'object', { apiVersion, kind: kind!, metadata });
}

/** Days before the notice of an end, in it, at the end, and after it. */
const days = ['2026-12-31', '2027-01-20', '2027-01-31', '2027-02-01'];

interface Edit {
  readonly what: string;
  readonly n: number;
  readonly variant: number;
}

const specs = [
  undefined,
  { labels: { a: 'b' } },
  { resources: [{ file: 'resources/map.yaml' }] },
  { namespaces: [{ name: 't0-n' }] },
  { className: 'gold' },
  { quota: { hard: { pods: 'wrong' } } },
  { access: { viewers: { temporary: [{ users: ['u'], until: '2027-01-31' }] } } },
  {
    access: {
      roles: [
        {
          name: 'r',
          groups: ['g'],
          rules: [{ apiGroups: ['apps'], resources: ['deployment'], verbs: ['get'] }],
        },
      ],
    },
  },
];

/** Changes the input, the outputs or the memory; returns what the app adds from now on. */
const edits: Record<string, (fleet: FleetFolder, edit: Edit) => void> = {
  tenant: (fleet, { n, variant }) =>
    fleet.write({ [`tenants/f${n % 3}.yaml`]: tenant(`t${n % 4}`, specs[variant % specs.length]) }),
  turned: (fleet, { n, variant }) =>
    fleet.write({ [`tenants/f${n % 3}.yaml`]: tenantClass(`c${variant % 2}`) }),
  // Only what was left alone for a while is known by its stat.
  nothing: settle,
  gone: (fleet, { n }) => fleet.remove(`tenants/f${n % 3}.yaml`),
  class: (fleet, { variant }) =>
    fleet.write({
      'tenants/classes/class.yaml': tenantClass('default', {
        defaults: { labels: { v: `${variant}` } },
      }),
    }),
  platform: (fleet, { variant }) =>
    fleet.write({
      'tenantry.yaml': platform({
        clusters: [{ name: 'eu1' }, { name: 'us1' }].slice(0, 1 + (variant % 2)),
        defaultClusters: variant % 3 === 0 ? ['eu1', 'us1'].slice(0, 1 + (variant % 2)) : ['eu1'],
        metadataKeys: { team: `x.example.com/${variant}` },
      }),
    }),
  include: (fleet, { n, variant }) =>
    n === 0
      ? fleet.remove('tenants/resources/map.yaml')
      : fleet.write({ 'tenants/resources/map.yaml': configMap('m', { v: `${variant}` }) }),
  edited: (fleet, { n, variant }) => {
    for (const file of distFiles(fleet, n)) {
      const [line] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${line}\nedited: ${variant}\n`);
    }
  },
  deleted: (fleet, { n }) => {
    for (const file of distFiles(fleet, n)) rmSync(file);
  },
  code: (fleet, { variant }) => {
    // Other code wrote fewer files: with its records believed, one of each would go.
    for (const file of memoryFiles(fleet)) {
      const [, outputsText, inputsText, ...lines] = readFileSync(file, 'utf8').split('\n');
      const units = lines.map((line) => {
        const [key, record] = line.split(/ (.*)/s);
        const unit = JSON.parse(record!) as UnitRecord;
        return `${key} ${JSON.stringify({ ...unit, files: unit.files.slice(1) })}`;
      });
      const identity = ['', 'other', '{'][variant % 3];
      writeFileSync(file, [identity, outputsText, inputsText, ...units].join('\n'));
    }
  },
};

/** The same file of both outputs, the list of files apart. */
function distFiles({ folder }: FleetFolder, n: number): string[] {
  const [names] = outputs.map((out) =>
    globSync('clusters/**/*.yaml', { cwd: join(folder, out) }).toSorted(),
  );
  const name = names![n % Math.max(names!.length, 1)];
  return name === undefined ? [] : outputs.map((out) => join(folder, out, name));
}

const edit: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom(
    'tenant',
    'tenant',
    'tenant',
    'adds',
    'day',
    'nothing',
    'nothing',
    ...Object.keys(edits),
  ),
  n: fc.nat(20),
  variant: fc.nat(20),
});

const start = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }] }),
  'tenants/f0.yaml': tenant('t0', specs[2]),
  'tenants/f1.yaml': tenant('t1'),
  'tenants/resources/map.yaml': configMap('m'),
};

test('with a memory or without, whatever was done meanwhile, the bytes and the words are the same', () => {
  let [refused, reused] = [0, 0];
  fc.assert(
    fc.property(fc.array(edit, { minLength: 4, maxLength: 8 }), (steps) => {
      withFleet(start, (fleet) => {
        let add = additions['nothing']!;
        let date = days[0]!;
        for (const step of [undefined, ...steps, undefined]) {
          const names = Object.keys(additions);
          if (step?.what === 'adds') add = additions[names[step.variant % names.length]!]!;
          else if (step?.what === 'day') date = days[step.variant % days.length]!;
          else if (step) edits[step.what]!(fleet, step);
          const remembered = fleet.render({ out: 'remembered', memory: 'memory', date, add });
          const plain = fleet.render({ out: 'plain', date, add });
          expect(remembered).toEqual(plain);
          expect(fleet.files('remembered')).toEqual(fleet.files('plain'));
          if (plain.summary === undefined) refused += 1;
          else reused += plain.summary.changes.unchanged;
        }
      });
    }),
    runs(10),
  );
  expect(refused).toBeGreaterThan(20);
  expect(reused).toBeGreaterThan(200);
});
