import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importBundle, findNotCarried } from '../../../constructs/import/import-bundle.ts';
import { formatPath } from '@tenantry/kube/problem';
import type { Bundle } from '../../../bundle/bundle.ts';
import { readBundle } from '../../../folder/read-bundle.ts';
import { bundleOf, csv, sample, type Texts } from '../../sample.ts';
import { UserProject } from '@tenantry/test-tools/surface/user-project';
import { rich } from './rich.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

const lostOf = (bundle: Bundle): string[] =>
  importBundle(bundle, String).notCarried.map(
    ({ file, path, message }) => `${file} ${formatPath(path)} ${message}`,
  );

/** Returns the props of an imported bundle. */
const propsOf = (texts: Texts) => importBundle(bundleOf(texts), String).props;

test('a bundle that an OperatorSpec cannot express is imported without loss', () => {
  expect(lostOf(bundleOf(rich))).toEqual([]);
});

test('what has a field in the props is imported into it, and the rest is kept verbatim', () => {
  const props = propsOf(rich);
  expect(props).toMatchObject({
    operator: { name: 'redis-operator', version: '1.2.3' },
    name: 'redisoperator.1.2.3',
    capabilities: 'Deep Insights',
    categories: ['Database', 'Storage'],
    skipRange: '<1.2.3',
    annotations: { certified: 'false' },
    channels: ['alpha', 'stable'],
    installModes: ['AllNamespaces'],
    csvLabels: { 'operatorframework.io/arch.arm64': 'supported' },
    bundleAnnotations: { 'com.redhat.openshift.versions': 'v4.8-v4.20' },
    imageLabels: { 'com.redhat.delivery.backport': 'true', 'a b': 'c $d' },
    dependencies: [
      { gvk: { group: 'cert-manager.io', kind: 'Certificate', version: 'v1' } },
      { package: { name: 'prometheus', versions: '>0.27.0' } },
      { type: 'olm.label', value: { label: 'x' } },
    ],
  });
  expect(props.manifests?.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'CustomResourceDefinition olds.example.com',
    'ConfigMap settings',
    'ConfigMap settings',
  ]);
});

test('absent values stay absent', () => {
  expect(Object.keys(propsOf(sample)).toSorted()).toEqual([
    'channels',
    'customResources',
    'displayName',
    'examples',
    'installModes',
    'operator',
    'scorecard',
  ]);
});

describe('what is not imported is reported with its path and the reason', () => {
  test.each<readonly [string, Texts, string]>([
    [
      'a misspelt field',
      { [CSV]: csv.replace('version: 1.2.3', 'miniKubeVersion: 1.28.0') },
      `${CSV} spec.miniKubeVersion is not carried over: must be a known field, got 'miniKubeVersion'; did you mean 'minKubeVersion'?`,
    ],
    [
      'a value of another type',
      { [CSV]: csv.replace('displayName: Redis', 'displayName: 7') },
      `${CSV} spec.displayName is not carried over: must be a string, got 7`,
    ],
    [
      'a field that pods do not have',
      { [CSV]: csv.replace('- { name: manager,', '- { name: manager, imag: x,') },
      `${CSV} spec.install.spec.deployments[0].spec.template.spec.containers[0].imag is not carried over: must be a known field, got 'imag'; did you mean 'image'?`,
    ],
    [
      'an object without a name',
      { 'manifests/x.yaml': 'apiVersion: v1\nkind: ConfigMap\n' },
      'manifests/x.yaml  is not carried over, got a mapping',
    ],
    [
      'a file of somebody else',
      { 'tests/kuttl/a.yaml': 'a: 1\n' },
      'tests/kuttl/a.yaml  is not carried over: it is no part of what OLM reads; copy it yourself',
    ],
    ['a file that cannot be read', { 'manifests/x.yaml': 'a: [' }, 'manifests/x.yaml  must be'],
    [
      'an additional field of the metadata',
      { 'metadata/annotations.yaml': `${sample['metadata/annotations.yaml']}others: { a: 1 }\n` },
      'metadata/annotations.yaml others is not carried over: OLM reads annotations, dependencies and properties alone',
    ],
  ])('%s', (_, texts, message) => {
    const lost = lostOf(bundleOf({ ...sample, ...texts }));
    expect(lost).toEqual([expect.stringContaining(message)]);
  });
});

test('a rule that the bundle violates is accepted by name, and no other rule is', () => {
  const bundle = bundleOf({ ...sample, [CSV]: csv.replace('supported: true', 'supported: false') });
  const { props, accepted } = importBundle(bundle, String);
  expect(props.accepts).toEqual(['install-mode-supported']);
  expect(accepted.map(({ file, rule }) => [file, rule])).toEqual([[CSV, 'install-mode-supported']]);
  expect(propsOf(sample)).not.toHaveProperty('accepts');
});

test('a mistake that OLM used to ignore is corrected and reported', () => {
  const two = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
  const bundle = bundleOf({
    ...sample,
    'manifests/x.yaml': `${two}---\n${two.replace('a }', 'b }')}`,
  });
  const { mended, notCarried, props } = importBundle(bundle, String);
  expect(notCarried).toEqual([]);
  expect(mended.map(({ file, rule }) => [file, rule])).toEqual([
    ['manifests/x.yaml', 'document-unread'],
  ]);
  expect(props.manifests).toHaveLength(2);
});

test('versions and names that are not file names are replaced', () => {
  const { props } = importBundle(
    bundleOf({ ...sample, [CSV]: csv.replace('version: 1.2.3', 'version: ../1.2.3') }),
    String,
  );
  expect(props.folder).toBe('olm/bundle/redis-operator-v1-2-3');
  const renamed = sample['metadata/annotations.yaml']!.replace('redis-operator', '../Redis x');
  expect(lostOf(bundleOf({ ...sample, 'metadata/annotations.yaml': renamed }))).toEqual([]);
});

/** Published bundles, read in place: all of them on request, by default every tenth. */
const folder = process.env['TENANTRY_BUNDLES'];
const isLong = process.env['TENANTRY_LONG'] === '1';

function published(): string[] {
  if (folder === undefined) return [];
  const packages = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  const all = packages.flatMap(({ name }) =>
    readdirSync(join(folder, name)).map((version) => join(name, version)),
  );
  return all.toSorted().filter((_, i) => isLong || i % 10 === 4);
}

const projects: UserProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

/** Imports, compiles and renders bundles, and returns the results in the same order. */
async function throughPrograms(bundles: readonly Bundle[]): Promise<Bundle[]> {
  const texts = bundles.flatMap((bundle, i) =>
    importBundle(bundle, String).files.map(({ path, text }) => [`b${i}/${path}`, text]),
  );
  const project = new UserProject(Object.fromEntries(texts) as Texts);
  projects.push(project);
  expect(await project.compile()).toBe('');
  const ran = await project.runAll(
    bundles.map((_, i) => ({ file: `b${i}/app.ts`, folder: `b${i}` })),
  );
  expect(ran.map(({ error }) => error)).toEqual(bundles.map(() => undefined));
  return bundles.map((_, i) => {
    const root = join(project.folder, `b${i}`, 'dist', 'olm', 'bundle');
    const [version] = readdirSync(root);
    return readBundle(join(root, version!));
  });
}

const sentence = 'the program of a bundle compiles, runs, and gives the bundle again';
const title = folder
  ? sentence
  : `${sentence} [published ones are skipped: TENANTRY_BUNDLES names no folder]`;

test(title, async () => {
  const bundles = [
    bundleOf(rich),
    bundleOf(sample),
    ...published().map((name) => readBundle(join(folder!, name))),
  ];
  const again = await throughPrograms(bundles);
  const lost = bundles.map((bundle, i) => findNotCarried(bundle, again[i]!));
  expect(lost).toEqual(bundles.map((bundle) => importBundle(bundle, String).notCarried));
  // Published bundles lose unknown fields, and nothing else.
  const other = lost.flat().filter(({ message }) => !message.includes('must be a known field'));
  expect(other).toEqual([]);
});
