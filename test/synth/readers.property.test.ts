import { expect, test } from '@jest/globals';
import { Yaml } from 'cdk8s';
import fc from 'fast-check';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { ManifestValidator } from '../../synth/manifests/manifests.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { clusterReaders, readerNames, type Files, type Readings } from '../go/readers.ts';

const ask = await clusterReaders();
const withReaders = ask === undefined ? test.skip : test;

const words =
  '0o7 1_000 1e3 .5 0x1F 0644 12:30:45 ~ yes no on off y n null NULL = << true 2026-01-01 .inf - -- ' +
  '--- ... ? : a: #a a#b %a @a `a &a *a !a | > { } [ ] {} [] , \' " \\ a\\n \0 \x07 \x7f \u0085 \u2028 ' +
  '\ufeff \u{1f600} é __proto__ $patch ${a} {{a}} items kind +argocd:skip-file-rendering ' +
  '#+argocd:skip-file-rendering +argocd: argocd:skip-file-rendering ENC[a] [sops]';
const phrases =
  'a\n---\nb|---\nkind: List|a\n...\nb|# {"$imagepolicy": "a:b"}|a\r\nb|\ta|a \nb|\n|a\n\nb\n|a: b|a #b|' +
  '{"kind": "List"}|%YAML 1.1\n|a\u2028---\u2028b|x\n+argocd:skip-file-rendering\n|+argocd:skip-\nfile';
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...' \n-:#?"\'\\{}[],&*!|>%@.0123eExoyn\t\r\u2028é😀a'),
    maxLength: 8,
  }),
  fc.constantFrom(...words.split(' '), ...phrases.split('|')),
);
/** kustomize drops a field of this name; no kind of Kubernetes has one. */
const key = text.filter((name) => name !== '<<');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));

const inner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inside' } };
const fields = fc.constantFrom(
  ...'items Items ITEMS item spec status data sops functionConfig results $patch List'.split(' '),
);
const content = fc.oneof(
  value,
  fc.constantFrom([], [inner], { items: [inner] }, { mac: 'x' }, null, inner),
);
const keys = fc.constantFrom(
  'example.com/a',
  'config.kubernetes.io/local-config',
  'config.kubernetes.io/index',
  'internal.config.kubernetes.io/path',
  'internal.config.kubernetes.io/previousNames',
  'kustomize.config.k8s.io/needs-hash',
  'kustomize.config.k8s.io/behavior',
  'config.k8s.io/id',
  'kustomize.toolkit.fluxcd.io/reconcile',
  'argocd.argoproj.io/hook',
);
/** Mostly what is usual, so that an object with something odd about it has little else odd. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
const often = (usual: unknown, ...odd: readonly unknown[]) =>
  mostly<unknown>(fc.constant(usual), fc.constantFrom(...odd));
const versions = [
  'apps/v1',
  'x.io/v1',
  'kustomize.config.k8s.io/v1beta1',
  'config.kubernetes.io/v1',
];
const kinds = 'List ConfigMapList AllowList ResourceList Kustomization Component Secret list'.split(
  ' ',
);
const document = fc.tuple(
  often('v1', ...versions, 'v1 ', 'a/b/c', 1),
  often('ConfigMap', ...kinds, ''),
  fc.record(
    {
      namespace: often('team', '', null, 'a/b', 1),
      labels: mostly<unknown>(fc.dictionary(keys, fc.constant('a'), { maxKeys: 1 }), value),
      annotations: mostly<unknown>(
        fc.dictionary(mostly<string>(fc.constant('example.com/b'), keys), text, { maxKeys: 2 }),
        value,
      ),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(mostly<string>(key, fields), mostly(value, content), { maxKeys: 3 }),
);

/** Candidates for documents, each of another name, most of them with something odd about them. */
const documents = fc.sample(document, runs(1500)).map(([apiVersion, kind, metadata, more], i) => ({
  ...more,
  apiVersion,
  kind,
  metadata: { name: `o${i}`, ...metadata },
})) as unknown as KubeObject[];

/** The text of a file, or undefined where it is refused. */
function written(object: KubeObject): string | undefined {
  const manifests = new ManifestValidator();
  const text = manifests.renderObjects('a.yaml', [object], () => 'a', { canonical: true });
  return manifests.problems.length > 0 ? undefined : text;
}

/** The same for what cdk8s itself writes of it. */
function taken(object: KubeObject): string | undefined {
  const manifests = new ManifestValidator();
  const text = Yaml.stringify(object);
  manifests.validateText('a.yaml', text, 'a');
  return manifests.problems.length > 0 ? undefined : text;
}

/** What JSON makes of an object, with sorted keys, and without what means nothing. */
function canonical(object: unknown): string {
  return JSON.stringify(object, (key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item)
            .filter(([field, held]) => held !== null && !isNothing(key, field, held))
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  );
}

/** kustomize leaves out labels and annotations that are empty. */
function isNothing(key: string, field: string, held: unknown): boolean {
  return (
    key === 'metadata' && /^(labels|annotations)$/.test(field) && JSON.stringify(held) === '{}'
  );
}

/** Which readers found something else than these objects, and what. */
function wrong(readings: Readings, objects: readonly unknown[]): string[] {
  const expected = objects.map(canonical).toSorted();
  return readerNames.flatMap((name) => {
    const reading = readings[name];
    if (reading.error !== undefined) return [`${name}: ${reading.error}`];
    const found = reading.objects;
    return canonical(found.map(canonical).toSorted()) === canonical(expected)
      ? []
      : [`${name}: ${JSON.stringify(found).slice(0, 300)}`];
  });
}

/** The files that alone are read wrongly, and how; all are asked at once, and in halves if need be. */
function culprits(entries: readonly (readonly [KubeObject, string])[]): string[] {
  const files = Object.fromEntries(entries.map(([, text], i) => [`clusters/a/f${i}.yaml`, text]));
  const found = wrong(
    ask!([files])[0]!,
    entries.map(([object]) => object),
  );
  if (found.length === 0) return [];
  if (entries.length === 1) return [[entries[0]![1], ...found].join('\n')];
  const half = entries.length >> 1;
  const first = culprits(entries.slice(0, half));
  return first.length > 5 ? first : [...first, ...culprits(entries.slice(half))];
}

withReaders.each([
  ['what we write', written],
  ['what cdk8s writes and we take', taken],
])('%s is refused, or is that one object to kubectl, Argo CD and Flux', (_what, write) => {
  const entries = documents.flatMap((object) => {
    const text = write(object);
    return text === undefined ? [] : [[object, text] as const];
  });
  expect(entries.length).toBeGreaterThan(documents.length / 10);
  expect(entries.length).toBeLessThan(documents.length);
  expect(culprits(entries)).toEqual([]);
});

withReaders('as many documents as are written to a file are as many objects', () => {
  const named = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const folders = [0, 1, 2, 40].map((count) =>
    Array.from({ length: count }, (_, i) => ({
      ...named(`n${i}`),
      data: { a: 'x\n---\ny\n', b: '---\n', c: '...\n# d', d: '{' },
    })),
  );
  const readings = ask!(
    folders.map((objects) => {
      const text = new ManifestValidator().renderObjects('a.yaml', objects, () => 'a')!;
      return { 'clusters/a/b.yaml': text, 'c.yaml': Yaml.stringify(named('other')) };
    }),
  );
  const found = readings.map((reading, i) => wrong(reading, [...folders[i]!, named('other')]));
  expect(found).toEqual(folders.map(() => []));
});

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';
const read = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

/** Whether a text that we did not write is refused. */
function isRefused(path: string, content: string): boolean {
  const manifests = new ManifestValidator();
  manifests.validateText(path, content, 'a');
  return manifests.problems.length > 0;
}

withReaders.each([
  ['a byte order mark', `\ufeff${map}`],
  ['line ends of Windows', map.replaceAll('\n', '\r\n')],
  ['no line break at the end', map.trimEnd()],
  ['documents that are empty', `---\n---\n${map}---\n`],
  ['documents that are null', `null\n---\n${map}---\n~\n`],
  ['the end of a document', `${map}...\n`],
  ['a separator with a comment', `${map}--- # more\n`],
  ['a separator with a space', `--- \n${map}`],
  ['a separator that is longer', `${map}-----\n`],
  ['text behind a separator', `--- ${map}`],
  ['two documents for YAML alone', `${map}...\n${map}`],
  ['a directive', `%YAML 1.2\n---\n${map}`],
  ['a comment', `# +argocd\n${map}`],
  ['a comment at the end of a line', map.replace('x\n', 'x # y\n')],
  ['JSON', JSON.stringify(read)],
  ['two objects of JSON', JSON.stringify(read).repeat(2)],
  ['JSON and YAML', `${JSON.stringify(read)}\n---\n${map.replace('x', 'y')}`],
  ['YAML of JSON', ' {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}'],
  ['a list', `- ${map.replaceAll('\n', '\n  ')}`],
  ['a tag', map.replace('v1', '!!str v1')],
  ['a tag for bytes', `${map}data: {a: !!binary aGk=}\n`],
  ['an alias', `${map}data: {a: &b c, d: *b}\n`],
  ['a merge', `${map}data: {<<: {a: b}}\n`],
  ['a key twice', `${map}kind: List\n`],
  ['items in quotes', `${map}"\\x69tems": []\n`],
  ['items that are null', `${map}items:\n`],
  ['a key of octal digits', `${map}data: {0o7: a}\n`],
  ['a boolean of old', `${map}data: {a: yes}\n`],
  ['a number in octal', `${map}a: 010\n`],
  ['a time', `${map}a: 12:30:45\n`],
  ['the separator of lines of Unicode', `${map}a: "b\u2028---\u2028c"\n`],
  ['a text that runs to the left', `${map}a: "b\n---\nc"\n`],
])('%s: a text is refused, or is the same objects to all', (_what, content) => {
  if (isRefused('a.yaml', content)) return;
  const values = readDocuments(content).documents.map((document) => document.value);
  expect(wrong(ask!([{ 'a.yaml': content }])[0]!, values)).toEqual([]);
});

const part = fc.constantFrom(
  ...'a B 0 _ - . .. .yaml .yml .json .zip .tar.gz Chart chart kustomization Kustomization cloudbuild'.split(
    ' ',
  ),
  ...'.argocd-source .sourceignore .git .github .sops .flux Chart.yaml kustomization.yaml jsonnet é'.split(
    ' ',
  ),
  ' ',
  'codeship-steps',
);
const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const paths = fc
  .sample(
    fc.tuple(fc.array(name, { maxLength: 2 }), name, fc.constantFrom('.yaml', '.yaml', '')),
    runs(3000),
  )
  .map(([folders, file, extension]) => [...folders, file + extension].join('/'));

withReaders('a file name is refused, or every reader finds the object there', () => {
  const taken = [...new Set(paths)].filter(
    (path) => path.endsWith('.yaml') && !isRefused(path, map),
  );
  const named = (i: number) => ({ ...read, metadata: { name: `x${i}` } });
  const files = taken.map((path, i) => [path, Yaml.stringify(named(i))]);
  expect(taken.length).toBeGreaterThan(40);
  expect(
    wrong(
      ask!([Object.fromEntries(files) as Files])[0]!,
      taken.map((_, i) => named(i)),
    ),
  ).toEqual([]);
});
