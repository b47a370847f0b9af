import { expect, test } from '@jest/globals';
import { parseBundle } from '../../bundle/parse.ts';
import { createFindingLocator } from '../../bundle/bundle.ts';
import { validateBundle } from '../../rules/validate-bundle.ts';
import { definition } from './definition.ts';
import { filesOf, judge, sample, textsOf, type Sample } from './sample.ts';

const rulesOf = (given: Sample) => judge(given, { suite: 'operatorhub' }).map(({ rule }) => rule);

test('for a bundle that cannot be loaded, only the reason is reported', () => {
  const given = sample();
  given.csv.spec.installModes[0].supported = 'yes';
  delete given.csv.spec.icon;
  const findings = judge(given, { suite: 'operatorhub' });
  expect(findings).toEqual([
    {
      rule: 'field-type',
      severity: 'error',
      file: 'manifests/redis-operator.clusterserviceversion.yaml',
      document: 0,
      path: ['spec', 'installModes', 0, 'supported'],
      message: "must be true or false, got 'yes'",
    },
  ]);
});

test('keys match in any case, and numbers become texts, as Go decodes them', () => {
  const given = sample();
  const { minKubeVersion, ...spec } = given.csv.spec;
  given.csv.spec = { ...spec, MINKUBEVERSION: minKubeVersion, keywords: [1, true] };
  given.csv.metadata.labels = { a: 1 };
  expect(rulesOf(given)).toEqual([]);
});

test('a version that is not text is invalid', () => {
  const given = sample();
  given.csv.spec.version = 1.2;
  expect(rulesOf(given)).toEqual(['field-type']);
});

test.each([
  ['a hidden file', 'manifests/.keep', 'manifest-hidden'],
  ['a folder', 'manifests/more/a.yaml', 'manifest-folder'],
  ['a text', 'manifests/README.md', 'manifest-object'],
])('%s beside the ClusterServiceVersion is not an object', (_, path, rule) => {
  const given = sample();
  given.files[path] = 'kind of text';
  expect(rulesOf(given)).toContain(rule);
});

test('two ClusterServiceVersions, and none, are reported', () => {
  const two = sample();
  two.files['manifests/z.yaml'] = two.csv;
  expect(rulesOf(two)).toEqual(['one-csv']);
  const none = sample();
  none.csv = undefined;
  expect(rulesOf(none)).toEqual(['one-csv']);
});

test('a definition of an unknown version is reported', () => {
  const given = sample();
  given.crd.apiVersion = 'apiextensions.k8s.io/v2';
  expect(rulesOf(given)).toEqual(['definition-version']);
});

test('annotations that are not YAML, or not text, are reported', () => {
  const given = sample();
  given.files['metadata/annotations-more.yaml'] = 'annotations: [';
  expect(rulesOf(given)).toEqual(['yaml']);
  given.files['metadata/annotations-more.yaml'] = 'annotations: [a]';
  expect(rulesOf(given)).toEqual(['annotations-file']);
});

test('a file that begins with a document of comments is an object without a kind', () => {
  const given = sample();
  given.crd = `# Copyright\n---\n${JSON.stringify(definition())}\n`;
  expect(rulesOf(given)).toEqual(['owned-definition']);
});

test('of two definitions in a file the second counts', () => {
  const given = sample();
  const other = definition();
  other.metadata.name = 'keys.cache.example.com';
  other.spec.names = { plural: 'keys', kind: 'Key' };
  given.crd = `${JSON.stringify(other)}\n---\n${JSON.stringify(definition())}\n---\n`;
  expect(rulesOf(given)).toEqual([]);
});

test('the document that OLM decodes after a first ClusterServiceVersion need not be one', () => {
  const given = sample();
  const { 'manifests/redis-operator.clusterserviceversion.yaml': text } = textsOf(given);
  const second = JSON.stringify({ ...given.csv, kind: '', apiVersion: '' });
  given.csv = `${text}\n---\n${second}\n---\n`;
  expect(rulesOf(given).toSorted()).toEqual(['csv-api-version', 'csv-kind', 'required-field']);
});

test('of repeated keys the last one counts, which is reported outside of operatorhub', () => {
  const given = sample();
  const { 'manifests/cache.example.com_redis.yaml': text } = textsOf(given);
  given.crd = text!
    .replace('"scope":"Namespaced"', '"scope":"Nowhere"\n,"scope":"Namespaced"')
    .replace('{', '---\n{');
  expect(rulesOf(given)).toEqual([]);
  expect(judge(given).map(({ rule }) => rule)).toContain('yaml-dialect');
});

test('for a file of many documents a limited number of findings is reported, quickly', () => {
  const given = sample();
  const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
  given.files['manifests/many.yaml'] = Array<string>(10_000).fill(one).join('---\n');
  given.files['manifests/none.yaml'] = Array<string>(10_000).fill('a: b\n').join('---\n');
  const before = process.cpuUsage();
  const bundle = parseBundle({ files: filesOf(given) });
  const place = createFindingLocator(bundle, 'redis');
  const findings = validateBundle(bundle).map((finding) => place(finding));
  const { user } = process.cpuUsage(before);
  expect(findings.map(({ rule }) => rule)).toEqual(Array<string>(20).fill('manifest-object'));
  // This took half a minute when each position was counted from the beginning of the file.
  expect(user / 1e6).toBeLessThan(10);
  delete given.files['manifests/none.yaml'];
  const rules = judge(given).map(({ rule }) => rule);
  expect(rules).toEqual(Array<string>(20).fill('document-unread'));
  given.files['manifests/many.yaml'] += `---\n${one}`;
  expect(judge(given)).toMatchObject([
    { rule: 'file-size', message: 'must contain at most 10000 documents, got 10001' },
  ]);
});

test('an unreadable ClusterServiceVersion is reported once, and not as missing', () => {
  for (const text of ['\u0007', 'kind: ClusterServiceVersion\na: *b', 'kind: [']) {
    const given = sample();
    given.csv = text;
    expect(judge(given).map(({ rule }) => rule)).toEqual(['yaml']);
  }
});

test.each([
  [['stable'], 'annotations-file'],
  [{ a: 'b' }, 'annotations-file'],
  [1, 'annotation-value'],
])('an annotation that is not text is reported once: %j', (value, rule) => {
  const given = sample();
  given.annotations['channels.v1'] = value;
  expect(judge(given).map((one) => one.rule)).toEqual([rule]);
});
