import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { compare, type Placed } from './compare.ts';
import { declare, renderedBy, type NamespacesByRule } from './declared.ts';
import { withFiles } from './left-files.ts';
import { readFleet } from './originals.ts';
import { describe, linesOf, rowsOf } from './table.ts';

/**
 * Namespaces of a production platform as their teams wrote them over years, a folder each, read in place.
 *
 * A mapping that knows none of them by name declares those of an application as a Tenant. The objects that Tenantry
 * renders are compared with the teams' objects, one by one.
 */
const folder = process.env['TENANTRY_FLEET'];

function fleetTest(sentence: string, body: (folder: string) => void): void {
  if (folder) test(sentence, () => body(folder));
  else test.skip(`${sentence} [skipped: TENANTRY_FLEET names no folder]`, () => {});
}

let known: ReturnType<typeof load> | undefined;

function load(from: string) {
  const originals = readFleet(from);
  const fleet = declare(originals);
  const written: Placed[] = originals.flatMap(({ objects }) =>
    objects.map((object) => ({ cluster: 'live', object })),
  );
  return { originals, fleet, written, comparison: compare(written, fleet.rendered) };
}

const worldIn = (from: string) => (known ??= load(from));

const counts = (byRule: NamespacesByRule): Record<string, number> =>
  Object.fromEntries([...byRule].map(([rule, namespaces]) => [rule, namespaces.length]));

fleetTest('every namespace of the fleet is one of a valid Tenant of a valid class', (from) => {
  const { originals, fleet } = worldIn(from);
  expect(originals).toHaveLength(84);
  expect(fleet.tenants).toHaveLength(71);
  expect(fleet.misfits).toEqual([]);
  expect(fleet.taken).toEqual([]);
});

fleetTest('the Tenants render what the teams wrote, object by object', (from) => {
  const { originals, fleet, comparison } = worldIn(from);
  const rows = rowsOf(comparison.kinds, fleet);
  process.stdout.write(`\n${describe(rows, linesOf(originals, fleet), fleet)}\n`);
  expect(comparison.unequal).toEqual([]);
  const row = (
    kind: string,
    originals: number,
    { presets = 0, resources = 0 }: { presets?: number; resources?: number } = {},
  ) => ({
    kind,
    originals,
    equal: originals,
    throughPresets: presets,
    throughResources: resources,
  });
  expect(rows).toEqual([
    row('Certificate.cert-manager.io', 377, { presets: 377 }),
    row('NetworkPolicy.networking.k8s.io', 189),
    row('RoleBinding.rbac.authorization.k8s.io', 132),
    row('LimitRange', 84),
    row('Namespace', 84),
    row('ResourceQuota', 84),
    row('Role.rbac.authorization.k8s.io', 41),
    row('NetworkPolicy.projectcalico.org', 10, { resources: 10 }),
    row('ServiceMonitor.monitoring.coreos.com', 5, { resources: 5 }),
    row('ServiceAccount', 1),
  ]);
});

fleetTest('a policy is literal only if no field isolates the namespace', (from) => {
  const raw = worldIn(from).fleet.tenants.flatMap(({ metadata, ...rest }) => {
    const { network, namespaces = [] } = rest['spec'] as TenantSpec;
    const policies = [network, ...namespaces.map((one) => one.network)].flatMap(
      (one) => one?.policies ?? [],
    );
    return policies.length > 0 ? [[metadata.name, network?.isolation, policies.length]] : [];
  });
  expect(raw).toEqual([['elm-api-1-dev', 'Open', 4]]);
});

fleetTest('quantities keep their spelling, numbers apart, which become strings', (from) => {
  const { comparison } = worldIn(from);
  expect(comparison.respelled).toEqual([]);
  expect(comparison.numbersAsStrings).toBe(2);
});

fleetTest('a subject that a binding repeats is named once', (from) => {
  expect(worldIn(from).comparison.repeatedSubjects).toBe(1);
});

fleetTest('one class fits all of them, with exceptions for the needs of few namespaces', (from) => {
  expect(counts(worldIn(from).fleet.beyondStandard)).toEqual({
    'ceiling-limits': 3,
    'ceiling-network': 1,
    'ceiling-roles': 2,
    'foreign-service-account': 2,
    'metadata-key': 3,
    'resource-kind': 2,
  });
  const { classes, exceptions, idle } = worldIn(from).fleet;
  expect(classes).toHaveLength(1);
  expect(exceptions).toHaveLength(10);
  expect(idle).toEqual([]);
});

fleetTest('no rule refuses what a class was made for, and one finds roles for nothing', (from) => {
  const { fleet } = worldIn(from);
  expect(counts(fleet.refused)).toEqual({});
  expect(counts(fleet.warned)).toEqual({ 'unknown-resource': 1 });
});

fleetTest('what fields or presets declare needs a fifth of the lines', (from) => {
  const { originals, fleet } = worldIn(from);
  const { all, fields } = linesOf(originals, fleet);
  expect(fields.declared.compact / fields.written).toBeLessThan(1 / 5);
  expect(all.declared.compact / all.written).toBeLessThan(1 / 5);
});

fleetTest('written in one style it is a third, with nothing but what is different', (from) => {
  const { originals, fleet } = worldIn(from);
  const { fields } = linesOf(originals, fleet);
  expect(fields.declared.block / fields.block).toBeLessThan(1 / 3);
  expect(fields.declared.compact / fields.compact).toBeLessThan(0.3);
});

fleetTest('objects without a field or a preset stay in their original files', (from) => {
  const { originals, fleet, written } = worldIn(from);
  const { tenants, files } = withFiles(fleet.tenants, originals);
  expect(compare(written, renderedBy(fleet, tenants)).unequal).toEqual([]);
  expect(files.size).toBe(7);
  for (const [file, text] of files) {
    const original = new Set(readFileSync(join(from, file), 'utf8').split('\n'));
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !original.has(line)),
    ).toEqual([]);
  }
  const left = tenants.flatMap(({ spec }) => [spec, ...(spec.namespaces ?? [])]);
  const manifests = left.flatMap(({ resources = [] }) => resources).filter((one) => one.manifest);
  expect(manifests).toHaveLength(15);
});

fleetTest('a missing, additional or different object is found', (from) => {
  const { written, fleet } = worldIn(from);
  const { rendered } = fleet;
  const found = (ours: readonly Placed[]): string[] =>
    compare(written, ours).unequal.map((text) => text.replace(/^.* is /, ''));
  const changed = (kind: string, part: object): Placed[] => {
    const at = rendered.findIndex(({ object }) => object.kind === kind);
    const { cluster, object } = rendered[at]!;
    return rendered.with(at, { cluster, object: { ...object, ...part } });
  };
  const [one] = rendered as readonly [Placed];
  const { metadata } = one.object;
  expect(found(rendered.slice(1))).toEqual(['missing']);
  expect(found([...rendered, { ...one, cluster: 'other' }])).toEqual(['too many']);
  expect(found(changed('ResourceQuota', { spec: { hard: { pods: '1' } } }))).toEqual(['different']);
  expect(found(changed('RoleBinding', { subjects: [] }))).toEqual(['different']);
  expect(found(changed('Namespace', { metadata: { ...metadata, labels: {} } }))).toEqual([
    'different',
  ]);
  const extra = { ...metadata.annotations, 'example.com/extra': '' };
  expect(found(changed('Namespace', { metadata: { ...metadata, annotations: extra } }))).toEqual([
    'different',
  ]);
});
