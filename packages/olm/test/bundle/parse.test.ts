import { expect, test } from '@jest/globals';
import { parseBundle } from '../../bundle/parse.ts';
import { createFindingLocator } from '../../bundle/bundle.ts';
import { annotations, bundleOf, crd, csv, faultsOf, sample } from '../sample.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

test('a bundle has its manifests, its metadata and its typed ClusterServiceVersion', () => {
  const bundle = bundleOf(sample);
  expect(bundle.faults).toEqual([]);
  expect(bundle.manifestsFolder).toBe('manifests');
  expect(bundle.folders).toEqual(['manifests', 'metadata']);
  expect(bundle.manifests.map(({ file, kind, name }) => [file, kind, name])).toEqual([
    ['manifests/example.com_redises.yaml', 'CustomResourceDefinition', 'redises.example.com'],
    [CSV, 'ClusterServiceVersion', 'redis-operator.v1.2.3'],
  ]);
  expect(bundle.csv?.value.spec?.installModes).toEqual([
    { type: 'AllNamespaces', supported: true },
  ]);
  expect(bundle.annotations.values['operators.operatorframework.io.bundle.package.v1']).toBe(
    'redis-operator',
  );
});

test('dependencies, properties and the scorecard are read, whatever the names of their files', () => {
  const bundle = bundleOf({
    ...sample,
    'metadata/needs.yaml': 'dependencies: [{ type: olm.package, value: { packageName: a } }]',
    'metadata/properties.yml': 'properties: [{ type: olm.maxOpenShiftVersion, value: "4.18" }]',
    'tests/scorecard/config.yaml': 'kind: Configuration\nstages: []\n',
  });
  expect(bundle.faults).toEqual([]);
  expect(bundle.dependencies.map(({ type, value }) => [type, value])).toEqual([
    ['olm.package', { packageName: 'a' }],
  ]);
  expect(bundle.properties.map(({ type, value }) => [type, value])).toEqual([
    ['olm.maxOpenShiftVersion', '4.18'],
  ]);
  expect(bundle.scorecard?.value).toEqual({ kind: 'Configuration', stages: [] });
});

test('a file beside the metadata without a YAML extension is not read', () => {
  const bundle = bundleOf({ ...sample, 'metadata/README.md': 'properties: [\n' });
  expect(bundle.faults).toEqual([]);
});

test('an invalid list of dependencies is an error with its position', () => {
  const bundle = bundleOf({
    ...sample,
    'metadata/dependencies.yaml': 'dependencies:\n  - { value: 1 }\n  - olm.gvk\n',
    'metadata/properties.yaml': 'properties: {}\n',
  });
  expect(faultsOf(bundle)).toEqual([
    "metadata/dependencies.yaml [property] must be a type such as 'olm.package', got nothing",
    "metadata/dependencies.yaml [property] must be a mapping, got 'olm.gvk'",
    'metadata/properties.yaml [property] must be a list, got a mapping',
  ]);
});

test('annotations are strings; a number is converted and reported', () => {
  const bundle = bundleOf({
    ...sample,
    'metadata/annotations.yaml': `${annotations}  a: 4.1\n  b: []\n`,
  });
  expect(bundle.annotations.values['a']).toBe('4.1');
  expect(bundle.annotations.values['b']).toBeUndefined();
  expect(bundle.faults.map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', 'must be a string, got 4.1'],
    ['error', 'must be a string, got an empty list'],
  ]);
});

test('the manifests are in the folder of the ClusterServiceVersion, which can be any folder, also as JSON', () => {
  const value = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' };
  const bundle = bundleOf({
    '1.2.3/csv.json': JSON.stringify({ ...value, metadata: { name: 'redis.v1' } }, undefined, 2),
    '1.2.3/all.yml': `${crd}---\nkind: Service\n---\n# nothing\n`,
    'elsewhere/annotations-of-mine.yaml': annotations,
  });
  expect(bundle.faults).toEqual([]);
  expect(bundle.manifestsFolder).toBe('1.2.3');
  expect(bundle.manifests.map(({ kind, index }) => [kind, index])).toEqual([
    ['CustomResourceDefinition', 0],
    ['Service', 1],
    ['ClusterServiceVersion', 0],
  ]);
  expect(bundle.csv?.position(['metadata', 'name'])).toEqual({ line: 5, column: 13 });
  expect(bundle.annotations.document?.file).toBe('elsewhere/annotations-of-mine.yaml');
});

test('the files at the root are a bundle, except for the Dockerfile', () => {
  const bundle = bundleOf({ 'csv.yaml': csv, Dockerfile: 'FROM scratch\nLABEL a=b\n' });
  expect(bundle.faults).toEqual([]);
  expect(bundle.manifestsFolder).toBe('');
  expect(bundle.labels?.values).toEqual({ a: 'b' });
});

test('labels replace missing annotations', () => {
  const key = 'operators.operatorframework.io.bundle.package.v1';
  const dockerfile = `FROM scratch\nLABEL ${key}=redis\n`;
  const { [CSV]: only = '' } = sample;
  const bare = bundleOf({ [CSV]: only, 'bundle.Dockerfile': dockerfile });
  expect(bare.annotations).toEqual({ values: { [key]: 'redis' } });
  const both = bundleOf({ ...sample, 'bundle.Dockerfile': dockerfile });
  expect(both.annotations.values[key]).toBe('redis-operator');
});

test.each([
  [{}, [' [empty-bundle] must contain a bundle (manifests/ and metadata/), got no file']],
  [{ 'README.md': '# Redis\n' }, [' [one-csv] must contain a ClusterServiceVersion, got none']],
  [{ 'manifests/crd.yaml': crd }, [' [one-csv] must contain a ClusterServiceVersion, got none']],
  [
    { ...sample, 'manifests/z.yaml': csv },
    [
      `manifests/z.yaml [one-csv] must be the only ClusterServiceVersion of the bundle, got one in ${CSV}, too`,
    ],
  ],
  [
    { '1.0.0/manifests/csv.yaml': csv, '1.1.0/manifests/csv.yaml': csv },
    [
      " [one-csv] must be one bundle, got a ClusterServiceVersion in each of '1.0.0/manifests', '1.1.0/manifests': name the folder of one",
    ],
  ],
])('a bundle is one version of one operator: %#', (files, expected) => {
  expect(faultsOf(bundleOf(files))).toEqual(expected);
});

test('an unreadable file is reported once, with the line, and the other files are read', () => {
  const bundle = bundleOf({
    ...sample,
    'manifests/a.yaml': 'kind: Service\nmetadata: {\n',
    'manifests/b.yaml': 'just a text\n',
    'manifests/c.yaml': 'spec: {}\n',
    'manifests/d.yaml': '\u0000\u0001\u0002',
  });
  const place = createFindingLocator(bundle, 'redis/');
  const faults = bundle.faults.map(place).map(({ file, line, rule }) => [file, line, rule]);
  expect(faults).toEqual([
    ['redis/manifests/b.yaml', 1, 'manifest-object'],
    ['redis/manifests/c.yaml', 1, 'manifest-object'],
    ['redis/manifests/a.yaml', 2, 'yaml'],
    ['redis/manifests/d.yaml', 1, 'yaml'],
  ]);
  expect(bundle.manifests).toHaveLength(2);
});

test('an unreadable ClusterServiceVersion is not also reported as missing', () => {
  expect(faultsOf(bundleOf({ 'manifests/csv.yaml': `${csv}  }\n` }))).toEqual([
    expect.stringContaining('manifests/csv.yaml [yaml] must be YAML'),
  ]);
});

test('bytes that are not text are reported', () => {
  const bundle = bundleOf(sample);
  const junk = Uint8Array.from({ length: 1000 }, (_, i) => (i * 197) % 256);
  const files = [...bundle.files, { path: 'manifests/junk.yaml', bytes: junk }];
  const read = parseBundle({ files });
  expect(faultsOf(read)).toEqual([
    expect.stringMatching(/^manifests\/junk\.yaml \[file-text\] must be text in UTF-8, got/),
  ]);
});

test('an object that is too large for a cluster is reported, and a larger text is not read', () => {
  const long = csv.replace('displayName: Redis', `displayName: '${'x'.repeat(2 * 2 ** 20)}'`);
  expect(faultsOf(bundleOf({ ...sample, [CSV]: long }))).toEqual([
    `${CSV} [object-size] must be at most 1.5 MiB, got 2.0 MiB: no cluster takes more`,
  ]);
  const longer = csv.replace('displayName: Redis', `displayName: '${'x'.repeat(9 * 2 ** 20)}'`);
  expect(faultsOf(bundleOf({ ...sample, [CSV]: longer }))).toEqual([
    `${CSV} [file-size] must be at most 8 MiB, got 10 MiB`,
  ]);
});

test('YAML that strict readers refuse is read as OLM reads it, and reported once', () => {
  const odd = csv
    .replace('metadata:', 'metadata: &metadata')
    .replace('spec:', 'spec:\n  labels: { a: b, a: c }\n  annotations: { !!merge <<: *metadata }')
    .replace("  annotations:\n    alm-examples: '[]'\n", '');
  const bundle = bundleOf({ ...sample, [CSV]: odd });
  expect(bundle.faults.map(({ severity, rule, position }) => [severity, rule, position])).toEqual([
    ['warning', 'yaml-dialect', { line: 6, column: 19 }],
  ]);
  expect(bundle.csv?.value.spec?.labels).toEqual({ a: 'c' });
  expect(bundle.csv?.value.spec?.annotations).toEqual({ name: 'redis-operator.v1.2.3' });
});

test('a schema of a hundred levels is read', () => {
  const levels = Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const bundle = bundleOf({ ...sample, 'manifests/deep.yaml': `kind: Deep\n${levels} b\n` });
  expect(bundle.faults.map(({ rule }) => rule)).toEqual(['yaml-dialect']);
  const last = bundle.manifests.find(({ kind }) => kind === 'Deep');
  expect(last?.position(Array<string>(100).fill('a'))).toEqual({ line: 101, column: 103 });
});

test('the first of a thousand errors in a file are reported, quickly', () => {
  const keys = Array.from({ length: 60_000 }, () => 'a: 1').join('\n');
  const started = performance.now();
  const bundle = bundleOf({ ...sample, 'manifests/a.yaml': `kind: A\n${keys}\n` });
  expect(bundle.faults.map(({ rule }) => rule)).toEqual(['yaml-dialect']);
  const bad = bundleOf({ ...sample, 'manifests/a.yaml': `${'? [a]\n'.repeat(20_000)}` });
  expect(bad.faults).toHaveLength(20);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a bomb of aliases is refused, and takes no memory', () => {
  const levels = Array.from({ length: 20 }, (_, i) =>
    i === 0
      ? 'a0: &a0 [x]'
      : `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
  );
  const faults = faultsOf(bundleOf({ ...sample, 'manifests/bomb.yaml': levels.join('\n') }));
  expect(faults).toEqual([
    'manifests/bomb.yaml [yaml] must add at most 100000 values to a file through aliases, got more',
  ]);
});

test('hidden files are part of the bundle but not manifests', () => {
  const bundle = bundleOf({ ...sample, 'manifests/.hidden.yaml': 'not: [read' });
  expect(bundle.files.map(({ path }) => path)).toContain('manifests/.hidden.yaml');
  expect(bundle.manifests).toHaveLength(2);
  expect(bundle.faults).toEqual([]);
});
