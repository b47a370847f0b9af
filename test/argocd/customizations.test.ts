import { expect, test as plain } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCustomizations } from '../../model/argocd/customizations/customizations.ts';
import { buildSettingsConfigMap } from '../../model/argocd/customizations/settings.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { admitObject } from '@tenantry/crd/admit-object';
import { tenant } from '../../crds/tenant.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { buildStatus } from '../../operator/tenant/status.ts';
import type { Observation } from '../../operator/tenant/observation.ts';
import { changed, compared } from '../operator/given.ts';
import { testUnless } from '../skipping.ts';
import { customizationTests, runCustomizations } from './customizations.ts';
import { findArgoCd } from './programs.ts';

const { programs, reason } = await findArgoCd();
const test = testUnless(reason);

interface Given {
  readonly driftPolicy?: DriftPolicy;
  readonly isObserved?: boolean;
}

/** The settings of a platform whose operator heals. */
const settingsOf = ({ driftPolicy = 'Heal', isObserved = true }: Given = {}) => {
  const image = 'registry.example.com/tenantry:0.1.0';
  const operator = { driftPolicy, ...(isObserved && { image }) };
  const platform = resolvePlatform({ operator });
  return buildSettingsConfigMap('argocd', { customizations: buildCustomizations(platform) });
};

const run = (settings: object, tests: Parameters<typeof runCustomizations>[2]) =>
  runCustomizations(programs!, settings, tests);

const wrong = (results: ReturnType<typeof run>): string[] =>
  results.flatMap(({ test, wrong }) => (wrong === undefined ? [] : [`${test}: ${wrong}`]));

test("health and actions match the tests in Argo CD's own format, and actions send only the changed fields", () => {
  const results = run(settingsOf(), customizationTests);
  expect(wrong(results)).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
  const patches = new Set(results.flatMap(({ patch }) => (patch ? [JSON.stringify(patch)] : [])));
  expect([...patches].toSorted()).toEqual([
    '{"spec":{"cordoned":null}}',
    '{"spec":{"cordoned":true}}',
    '{"spec":{"driftPolicy":"Heal"}}',
    '{"spec":{"driftPolicy":null}}',
  ]);
});

test('the tests in that format can fail', () => {
  const { data, ...rest } = settingsOf() as { readonly data?: Readonly<Record<string, string>> };
  const broken = Object.entries(data ?? {}).map(([key, text]) => [
    key,
    text.replaceAll('"Progressing"', '"Healthy"').replaceAll('"Heal"', '"Observe"'),
  ]);
  const failures = wrong(run({ ...rest, data: Object.fromEntries(broken) }, customizationTests));
  expect(failures.map((one) => one.split(': ')[0])).toEqual(
    expect.arrayContaining([
      'argoproj.io/Application/testdata/half_there.yaml',
      'tenantry.dev/Tenant/actions/actions/heal/testdata/free.yaml',
      'tenantry.dev/Tenant/testdata/rolling_out.yaml',
    ]),
  );
});

/** An object, and its expected health. */
type Expected = readonly [object: object, status: string, message: string];

/** Tests of health in that format, by their position. */
const asTests = (...expected: readonly Expected[]) => {
  const fileAt = (i: number): string => `testdata/${i}.yaml`;
  const tests = expected.map(([, status, message], i) => ({
    inputPath: fileAt(i),
    healthStatus: { status, message },
  }));
  const files = expected.map(([object], i) => [fileAt(i), emitYaml([object])]);
  return { 'health_test.yaml': emitYaml([{ tests }]), ...Object.fromEntries(files) };
};

const tenantWith = (observation: Observation, generation = 2) => ({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: 'payments', generation: 2 },
  spec: observation.type === 'cordoned' ? { cordoned: true } : {},
  status: buildStatus(undefined, observation, generation, new Date('2026-11-22T09:14:05Z')),
});

test('Argo CD derives the health of a tenant from the status that the operator writes', () => {
  const problem = { reason: 'Fought', message: 'somebody changes it back' } as const;
  const table: readonly (readonly [Observation, health: string, message: string])[] = [
    [compared(), 'Healthy', ''],
    [compared({ namespaces: 0, objects: 0 }), 'Healthy', ''],
    [compared({ following: 2 }), 'Progressing', '2 objects not yet as declared'],
    [compared({ problems: [problem] }), 'Degraded', 'somebody changes it back'],
    [
      compared({ following: 1, problems: [problem] }),
      'Progressing',
      '1 object not yet as declared',
    ],
    [compared({ terminating: [{ name: 'pay' }] }), 'Degraded', 'pay: being deleted'],
    [{ type: 'cordoned' }, 'Suspended', 'cordoned: the operator leaves it alone'],
    [
      { type: 'taken', taken: [{ namespace: 'pay', tenant: 'payroll' }] },
      'Degraded',
      "namespace pay is tenant payroll's",
    ],
  ];
  const drift = ['a', 'b', 'c', 'd', 'e'].map((one) => changed(one, 'spec.hard.pods'));
  const results = run(
    settingsOf(),
    asTests(
      [tenantWith(compared({ drift })), 'Degraded', 'unlike'],
      ...table.map(([observation, ...health]): Expected => [tenantWith(observation), ...health]),
    ),
  );
  expect(results.slice(1)).toEqual(table.map((_, i) => ({ test: `testdata/${i + 1}.yaml` })));
  expect(results[0]?.wrong).toMatch(
    /Degraded Message:ResourceQuota a\/.*; ResourceQuota b\/.*; and 2 more}$/,
  );
});

test('without an operator a Tenant is healthy as soon as it exists, and has no actions', () => {
  const settings = settingsOf({ isObserved: false });
  const { status: _, ...fresh } = tenantWith(compared());
  expect(
    wrong(run(settings, asTests([fresh, 'Healthy', 'declared; no operator compares it']))),
  ).toEqual([]);
  expect(JSON.stringify(settings)).not.toContain('cordon:');
  expect(Object.keys((settings as { readonly data?: object }).data ?? {})).not.toContain(
    'resource.customizations.actions.tenantry.dev_Tenant',
  );
});

test('a platform whose operator may not heal has no action for it', () => {
  const failures = wrong(run(settingsOf({ driftPolicy: 'Create' }), customizationTests));
  expect(failures.some((one) => /actions\/heal\/testdata\/free\.yaml/.test(one))).toBe(true);
  expect(failures.some((one) => /actions\/cordon\//.test(one))).toBe(false);
});

plain(
  'the Tenants of the tests are valid for the API server, with statuses as the operator writes them',
  () => {
    const folder = join(customizationTests, 'tenantry.dev/Tenant');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const objects = files.filter((file) => file.includes('testdata/'));
    for (const file of objects) {
      const [document] = readDocuments(readFileSync(join(folder, file), 'utf8')).documents;
      const object = document?.value as { readonly status?: object };
      const kept = admitObject(tenant, object);
      expect([file, kept.errors, kept.pruned]).toEqual([file, [], []]);
      if (!object.status) continue;
      const written = admitObject(tenant, object, { oldObject: kept.value, subresource: 'status' });
      expect([file, written.errors, written.pruned]).toEqual([file, [], []]);
    }
    expect(objects.length).toBeGreaterThan(20);
  },
);
