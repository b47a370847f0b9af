import { expect, test } from '@jest/globals';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { ImportResult } from '../../import/import-manifests.ts';
import { listClassEndings, listTenantEndings } from '../../model/endings.ts';
import { compare, type Placed } from '../cases/fleet/compare.ts';
import { CLUSTER, importFolder, readFolder } from '../cases/fleet/imported.ts';

/**
 * Namespaces of a production platform as their teams wrote them over years, a folder each, read in place. The import
 * knows none of them by name. What it declares is rendered, and an independent comparison judges each object.
 */
const folder = process.env['TENANTRY_FLEET'];

function fleetTest(sentence: string, body: (folder: string) => void): void {
  if (folder) test(sentence, () => body(folder));
  else test.skip(`${sentence} [skipped: TENANTRY_FLEET names no folder]`, () => {});
}

let known: ReturnType<typeof load> | undefined;

function load(from: string) {
  const imported = importFolder(from);
  const written: Placed[] = imported.originals.flatMap(({ namespace, objects }) =>
    [namespace, ...objects].map(({ object }) => ({ cluster: CLUSTER, object })),
  );
  return { ...imported, written, comparison: compare(written, imported.rendered) };
}

const worldIn = (from: string) => (known ??= load(from));

fleetTest('every namespace of the fleet is one of a tenant, by a rule that is stated', (from) => {
  const { originals, result } = worldIn(from);
  expect(originals).toHaveLength(84);
  expect(result.fleet.tenants.flatMap(({ namespaces }) => namespaces)).toHaveLength(84);
  expect(result.fleet.tenants).toHaveLength(71);
  expect(result.fleet.grouping).toEqual([
    'the name without its environment joins 20 of 84 namespaces in 7 tenants; the others are tenants of their own',
  ]);
});

fleetTest('the Tenants render what the teams wrote, object by object', (from) => {
  const { comparison, result } = worldIn(from);
  expect(comparison.unequal).toEqual([]);
  expect(comparison.respelled).toEqual([]);
  expect(comparison.numbersAsStrings).toBe(2);
  expect(comparison.repeatedSubjects).toBe(1);
  const counts = [...comparison.kinds].map(([kind, { originals, equal }]) => [
    kind,
    originals,
    equal,
  ]);
  expect(counts.toSorted()).toEqual([
    ['Certificate.cert-manager.io', 377, 377],
    ['LimitRange', 84, 84],
    ['Namespace', 84, 84],
    ['NetworkPolicy.networking.k8s.io', 189, 189],
    ['NetworkPolicy.projectcalico.org', 10, 10],
    ['ResourceQuota', 84, 84],
    ['Role.rbac.authorization.k8s.io', 41, 41],
    ['RoleBinding.rbac.authorization.k8s.io', 132, 132],
    ['ServiceAccount', 1, 1],
    ['ServiceMonitor.monitoring.coreos.com', 5, 5],
  ]);
  expect(verdicts(result)).toEqual({ equal: 1007 });
  expect(result.proof).toMatchObject({ added: [], problems: [] });
});

const verdicts = ({ proof }: ImportResult): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(proof.objects, ({ verdict }) => verdict)].map(([key, of]) => [key, of.length]),
  );

fleetTest('it needs less than a fifth of the lines', (from) => {
  const count = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
  const { platform, files } = worldIn(from).result;
  const written = count(readFolder(from).map(({ text }) => text));
  const declared = count([platform, ...files.map(({ text }) => text)]);
  expect(declared / written).toBeLessThan(1 / 5);
});

fleetTest('a policy is literal only if no field isolates the namespace', (from) => {
  const raw = worldIn(from).result.fleet.tenants.flatMap(({ name, spec }) => {
    const { network, namespaces = [] } = spec satisfies TenantSpec;
    const policies = [network, ...namespaces.map((one) => one.network)].flatMap(
      (one) => one?.policies ?? [],
    );
    return policies.length > 0 ? [[name, network?.isolation, policies.length]] : [];
  });
  expect(raw).toEqual([['elm-api-1-dev', 'Open', 4]]);
});

fleetTest('one class fits all of them, and each exception has an effect', (from) => {
  const { exceptions = [] } = worldIn(from).klass.spec;
  expect(exceptions).toHaveLength(14);
  expect(worldIn(from).idle).toEqual([]);
});

fleetTest('nothing that is imported ends: what exists has no end date', (from) => {
  const { klass, result } = worldIn(from);
  const ends = [...result.fleet.tenants.flatMap(listTenantEndings), ...listClassEndings(klass)];
  expect(ends).toEqual([]);
  expect(result.files.filter(({ text }) => /\buntil:/.test(text))).toEqual([]);
});

fleetTest('objects without a field or a preset stay in their files, word for word', (from) => {
  const sources = new Set(readFolder(from).flatMap(({ text }) => text.split('\n')));
  const manifests = worldIn(from).result.files.filter(({ path }) => path.startsWith('resources/'));
  expect(manifests).toHaveLength(7);
  const foreign = manifests
    .flatMap(({ text }) => text.trimEnd().split('\n'))
    .filter((line) => !sources.has(line));
  expect(foreign).toEqual([]);
});
