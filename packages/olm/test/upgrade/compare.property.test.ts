import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { computeGainedRights } from '../../permissions/granted-rights.ts';
import { readBundle } from '../../folder/read-bundle.ts';
import { compareBundles, type UpgradeChange } from '../../upgrade/compare.ts';
import { rightsRules, roleRules } from '@tenantry/kube/test/rights/arbitrary-rules';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { sample } from '../rules/sample.ts';
import { bundleOf, pair, type Pair } from './pairs.ts';

const rights = fc.record({ everywhere: rightsRules, watched: roleRules, own: roleRules });
type Scoped = typeof rights extends fc.Arbitrary<infer T> ? T : never;

function granting({ everywhere, watched, own }: Scoped) {
  const given = sample();
  const [serviceAccountName, group] = ['redis-operator', 'rbac.authorization.k8s.io'];
  given.csv.spec.install.spec.clusterPermissions = [{ serviceAccountName, rules: everywhere }];
  given.csv.spec.install.spec.permissions = [{ serviceAccountName, rules: watched }];
  const of = (kind: string, more: object) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: 'more' },
    ...more,
  });
  given.files['manifests/role.yaml'] = of('Role', { rules: own });
  given.files['manifests/binding.yaml'] = of('RoleBinding', {
    roleRef: { apiGroup: group, kind: 'Role', name: 'more' },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccountName }],
  });
  return bundleOf(given);
}

test('equal rights have no changes, and a right gained in one direction is lost in the other', () => {
  fc.assert(
    fc.property(rights, rights, (one, other) => {
      const [a, b] = [granting(one), granting(other)];
      expect(computeGainedRights(a, a)).toEqual([]);
      const describeChanges = (changes: readonly UpgradeChange[], rule: RegExp) =>
        changes
          .filter((change) => rule.test(change.rule))
          .map(({ subject, before, after }) => JSON.stringify([subject, before ?? after]))
          .toSorted();
      const [there, back] = [compareBundles(a, b), compareBundles(b, a)];
      expect(describeChanges(there, /^permission-(gained|powerful)$/)).toEqual(
        describeChanges(back, /^permission-lost$/),
      );
      const gains = computeGainedRights(a, b).length > 0;
      expect(there.some(({ rule }) => /^permission-(gained|powerful)$/.test(rule))).toBe(gains);
    }),
    runs(200),
  );
});

/** Pairs of rules, of which one direction reports the first and the other direction the second. */
const opposites: readonly (readonly [string, string])[] = [
  ['webhook-added', 'webhook-removed'],
  ['install-mode-gained', 'install-mode-lost'],
  ['required-api-added', 'required-api-removed'],
  ['served-api-added', 'served-api-removed'],
  ['dependency-added', 'dependency-removed'],
  ['deployment-added', 'deployment-removed'],
  ['object-added', 'object-removed'],
  ['definition-added', 'definition-removed'],
  ['channel-joined', 'channel-left'],
  ['cleanup-enabled', 'cleanup-disabled'],
];

function subjects(changes: readonly UpgradeChange[], rule: string): string[] {
  return changes.filter((change) => change.rule === rule).map(({ subject }) => subject);
}

function expectOpposite(there: readonly UpgradeChange[], back: readonly UpgradeChange[]): void {
  const isApart = there.some(({ rule }) => rule === 'channels-apart');
  for (const [come, gone] of opposites) {
    if (isApart && come === 'channel-joined') continue;
    expect([come, subjects(there, come).toSorted()]).toEqual([
      come,
      subjects(back, gone).toSorted(),
    ]);
  }
}

const folder = process.env['TENANTRY_BUNDLES'];
const published = folder !== undefined && existsSync(folder) ? folder : undefined;
const judged = published ? test : test.skip;
const reason = published ? '' : ' [skipped: TENANTRY_BUNDLES names no folder of bundles]';

/** Upgrades with many differences: other layouts, old definitions, roles, new webhooks. */
const ways: readonly (readonly [name: string, ...versions: readonly string[]])[] = [
  ['argocd-operator', '0.0.8', '0.0.13'],
  ['cert-manager', '1.4.3', '1.14.2'],
  ['clickhouse', '0.7.0', '0.10.0', '0.23.3'],
  ['elastic-cloud-eck', '1.5.0', '2.1.0'],
  ['flux', '0.14.2', '0.39.0'],
  ['grafana-operator', '3.6.0', '4.1.0', '5.0.1'],
  ['infinispan', '0.3.0', '2.1.1', '2.4.3'],
  ['jaeger', '1.14.0', '1.30.0', '1.62.0'],
  ['keda', '1.4.1', '2.13.1'],
];

judged(`changes of published bundles are reversed in the other direction${reason}`, () => {
  for (const [name, ...versions] of ways) {
    const bundles = versions.map((version) => readBundle(join(published!, name, version)));
    for (const [i, after] of bundles.entries()) {
      expect(compareBundles(after, after)).toEqual([]);
      const before = bundles[i - 1];
      if (!before) continue;
      const [there, back] = [compareBundles(before, after), compareBundles(after, before)];
      expectOpposite(there, back);
      expect(back.some(({ rule }) => rule === 'version-not-higher')).toBe(true);
    }
  }
});

judged(`a published upgrade has its upgrade path${reason}`, () => {
  const read = (version: string) => readBundle(join(published!, 'elastic-cloud-eck', version));
  const way = compareBundles(read('2.1.0'), read('2.2.0')).filter(({ area }) => area === 'graph');
  expect(way.map(({ rule, message }) => [rule, message])).toEqual([
    ['upgrade-way', 'spec.replaces names OLD'],
  ]);
});

judged(`bundles of different operators can be compared${reason}`, () => {
  const packages = readdirSync(published!, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  const bundles = packages.map(({ name }) => {
    const [version = ''] = readdirSync(join(published!, name));
    return readBundle(join(published!, name, version));
  });
  for (const [i, before] of bundles.entries()) {
    const after = bundles[(i + 1) % bundles.length]!;
    expect(subjects(compareBundles(before, after), 'package-changed')).toHaveLength(1);
  }
});

/** Values that no bundle should contain at any place. */
const odd = fc.constantFrom(null, '', 'x', 7, true, [], {}, [null], [{}], { a: [] }, '\u0000');

test('a bundle with arbitrary values can be compared', () => {
  const damage = (given: Pair, side: 'old' | 'now', at: number, value: unknown): void => {
    const { csv, crd } = given[side];
    const places: [Record<string, unknown>, string][] = [];
    const visit = (node: Record<string, unknown>): void => {
      for (const key of Object.keys(node)) {
        places.push([node, key]);
        const inner = node[key];
        if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
      }
    };
    visit({ csv, crd });
    const [node, key] = places[2 + (at % (places.length - 2))]!;
    node[key] = value;
  };
  const breaks = fc.array(
    fc.tuple(fc.constantFrom('old' as const, 'now' as const), fc.nat(), odd),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(breaks, (all) => {
      const given = pair();
      for (const { csv, crd } of [given.old, given.now]) {
        const [type, conversionCRDs] = ['ConversionWebhook', [crd.metadata.name]];
        csv.spec.webhookdefinitions = [{ type, conversionCRDs }];
        csv.spec.nativeAPIs = [{ group: 'a', version: 'v1', kind: 'A' }];
      }
      for (const [side, at, value] of all) damage(given, side, at, value);
      for (const change of compareBundles(bundleOf(given.old), bundleOf(given.now))) {
        expect(change.message).not.toMatch(/undefined|\[object/);
      }
    }),
    runs(300),
  );
});
