import { expect, test } from '@jest/globals';
import { errorAt } from '@tenantry/kube/finding';
import { readDeclarations } from '../../crds/declarations.ts';
import { formatProblem } from '@tenantry/kube/problem';
import { tenant, type TenantSpec } from '../../crds/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';

type Files = Readonly<Record<string, string>>;

function read(text: string, files: Files = {}) {
  return readDeclarations('t.yaml', text, [tenant, tenantClass], (path) => {
    const content = files[path];
    if (content === undefined) throw new Error('no such file');
    return { file: path, text: content };
  });
}

const collectProblems = (text: string, files?: Files): string[] =>
  read(text, files).problems.map(formatProblem);

const head = (name: string, spec = '') =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata:\n  name: ${name}\n${spec}`;
const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const manifests = (text: string, files?: Files) => {
  const { declared, problems } = read(text, files);
  expect(problems).toEqual([]);
  const [one] = declared;
  const spec = one?.kind === tenant.kind ? one.spec : {};
  return (spec.resources ?? []).map(({ manifest }) => manifest?.metadata.name);
};

test('a declaration has the type of its kind, and the field kind discriminates the types', () => {
  const klass =
    'apiVersion: tenantry.dev/v1alpha1\nkind: TenantClass\nmetadata: {name: c}\nspec: {ceilings: {namespaces: 3}}\n';
  const { declared } = read(`${head('a', 'spec: {className: c}\n')}---\n${klass}`);
  for (const one of declared) {
    // @ts-expect-error a TenantClass has no class
    expect(one.spec.className).toBe(one.kind === 'Tenant' ? 'c' : undefined);
    if (one.kind === tenant.kind) {
      const spec: TenantSpec = one.spec;
      expect(spec.className).toBe('c');
    } else {
      const spec: TenantClassSpec = one.spec;
      expect(spec.ceilings?.namespaces).toBe(3);
    }
  }
  expect(declared).toHaveLength(2);
});

test('a file contains any number of objects of our kinds', () => {
  const klass =
    'apiVersion: tenantry.dev/v1alpha1\nkind: TenantClass\nmetadata: {name: c, labels: {a: b}}\n';
  const { declared, problems } = read(
    `${head('a', 'spec: {className: c}\n')}---\n# nothing\n---\n${klass}`,
  );
  expect(problems).toEqual([]);
  expect(
    declared.map(({ kind, name, labels, annotations, spec, files }) => ({
      kind,
      name,
      labels,
      annotations,
      spec,
      files,
    })),
  ).toEqual([
    {
      kind: 'Tenant',
      name: 'a',
      labels: undefined,
      annotations: undefined,
      spec: { className: 'c' },
      files: [],
    },
    {
      kind: 'TenantClass',
      name: 'c',
      labels: { a: 'b' },
      annotations: undefined,
      spec: {},
      files: [],
    },
  ]);
});

test('a problem has the line and column of the value, or of the key if the key is wrong', () => {
  expect(
    collectProblems(head('a', 'spec:\n  quota:\n    hard:\n      pods: half\n  namspaces: []\n')),
  ).toEqual([
    "t.yaml:8:13 spec.quota.hard.pods must be a quantity such as '500m', '2Gi' or 10, or 'unlimited', got 'half'",
    "t.yaml:9:3 spec.namspaces must be a known field, got 'namspaces'; did you mean 'namespaces'?",
  ]);
});

test('a missing field is reported at its parent', () => {
  expect(
    collectProblems('apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata:\n  labels: {}\n'),
  ).toEqual([
    "t.yaml:4:3 metadata.name must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got nothing",
  ]);
});

test('the problems of all documents are reported together, and the valid ones are still read', () => {
  const text = `${head('a', 'spec: {x: 1}\n')}---\n${head('b')}---\n${head('C')}---\nkind: [\n`;
  const { declared, problems } = read(text);
  expect(declared.map(({ name }) => name)).toEqual(['b']);
  expect(problems.map(({ line, path, rule }) => ({ line, path, rule }))).toEqual([
    { line: 17, path: '', rule: 'yaml' },
    { line: 5, path: 'spec.x', rule: 'schema' },
    { line: 15, path: 'metadata.name', rule: 'schema' },
  ]);
});

const expected = 'must be a Tenant (tenantry.dev/v1alpha1) or TenantClass (tenantry.dev/v1alpha1)';

test.each([
  ['- a\n', `t.yaml:1:1 ${expected}, got a list`],
  ['hello\n', `t.yaml:1:1 ${expected}, got 'hello'`],
  ['a: 1\n', `t.yaml:1:1 kind ${expected}, got no kind`],
  [map('x'), `t.yaml:2:7 kind ${expected}, got kind 'ConfigMap'`],
  ['kind: {a: b}\n', `t.yaml:1:7 kind ${expected}, got kind a mapping`],
  ['kind: Tenant\n', "t.yaml:1:1 apiVersion must be 'tenantry.dev/v1alpha1', got nothing"],
  [
    'apiVersion: v1\nkind: Tenant\n',
    "t.yaml:1:13 apiVersion must be 'tenantry.dev/v1alpha1', got 'v1'",
  ],
])('%j is not one of our kinds', (text, message) => {
  expect(collectProblems(text)).toEqual([message]);
});

test('a declaration must not have a status', () => {
  expect(collectProblems(head('a', 'status: {}\n'))).toEqual([
    "t.yaml:5:1 status must be a known field, got 'status'; known: apiVersion, kind, metadata, spec",
  ]);
});

test('an entry with a file is replaced by every document of the file', () => {
  const text = head(
    'a',
    'spec:\n  resources:\n    - manifest: {metadata: {name: first}}\n    - file: more.yaml\n    - manifest: {metadata: {name: last}}\n',
  );
  const files = { 'more.yaml': `${map('a')}---\n${map('b')}` };
  expect(manifests(text, files)).toEqual(['first', 'a', 'b', 'last']);
  expect(read(text, files).declared[0]!.files).toEqual(['more.yaml']);
});

test('a List is unpacked, in a file and in place, and inside another', () => {
  const list =
    '{apiVersion: v1, kind: List, items: [{metadata: {name: a}}, {apiVersion: v1, kind: List, items: [{metadata: {name: b}}]}]}';
  expect(manifests(head('a', `spec:\n  resources:\n    - manifest: ${list}\n`))).toEqual([
    'a',
    'b',
  ]);
  expect(
    manifests(head('a', 'spec:\n  resources:\n    - file: l.yaml\n'), { 'l.yaml': list }),
  ).toEqual(['a', 'b']);
});

test.each(['x/v1, kind: List', 'v1, kind: ConfigMapList', 'x/v1, kind: Role'])(
  'an object of %s that has items is no List: it stays as it is written',
  (type) => {
    const manifest = `{apiVersion: ${type}, metadata: {name: a}, items: [{metadata: {name: b}}]}`;
    expect(manifests(head('a', `spec:\n  resources:\n    - manifest: ${manifest}\n`))).toEqual([
      'a',
    ]);
  },
);

test.each([
  [
    'a description',
    'spec: {description: "x +argocd:skip-file-rendering"}\n',
    '5:21 spec.description',
  ],
  ['an escape', 'spec: {description: "\\x2bargocd:other"}\n', '5:21 spec.description'],
  [
    'folded lines',
    'spec:\n  description: >-\n    x\n    +argocd:skip-file-rendering\n',
    '6:16 spec.description',
  ],
  ['an annotation', '', '4:30 metadata.annotations.x'],
])('a directive for Argo CD is refused in %s, with its place', (_where, more, place) => {
  const text =
    more === ''
      ? head('a').replace('name: a', "{name: a, annotations: {x: '+argocd:skip-file-rendering'}}")
      : head('a', more);
  expect(read(text).problems).toMatchObject([{ rule: 'steering-text' }]);
  expect(collectProblems(text)[0]).toContain(place);
});

test('resources are taken from files at every layer of a Tenant and of a class', () => {
  const entry = '[{file: m.yaml}]';
  const spec = `spec:\n  resources: ${entry}\n  namespaces: [{name: one, resources: ${entry}}]\n`;
  const files = { 'm.yaml': map('m') };
  const one = [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } } }];
  expect(read(head('a', spec), files).declared[0]!.spec).toEqual({
    resources: one,
    namespaces: [{ name: 'one', resources: one }],
  });
  const klass = `spec:\n  defaults: {resources: ${entry}}\n  environments: [{name: prod, resources: ${entry}}]\n`;
  expect(read(head('a', klass).replace('Tenant', 'TenantClass'), files).declared[0]!.spec).toEqual({
    defaults: { resources: one },
    environments: [{ name: 'prod', resources: one }],
  });
});

test('an unreadable or misnamed file is reported at the entry, an invalid one at its own place', () => {
  const text = head(
    'a',
    'spec:\n  resources:\n    - file: gone.yaml\n    - file: bad.yaml\n    - file: 7\n    - {file: x, manifest: {}}\n',
  );
  expect(collectProblems(text, { 'bad.yaml': 'a: 1\nb: [1\n' })).toEqual([
    "t.yaml:7:13 spec.resources[0].file must be a file that can be read, got 'gone.yaml': no such file",
    expect.stringMatching(/^bad\.yaml:2:4 must be YAML: /),
    't.yaml:9:13 spec.resources[2].file must be the path of a file, got 7',
    "t.yaml:10:8 spec.resources[3].file must be a known field, got 'file'; known: manifest, preset, values",
  ]);
});

test('a problem of an included object is reported in its file, with the including file', () => {
  const text = head('a', 'spec:\n  resources:\n    - manifest: {}\n    - file: m.yaml\n');
  const files = { 'm.yaml': `${map('a')}---\njust a string\n` };
  expect(collectProblems(text, files)).toEqual([
    "m.yaml:5:1 must be a Kubernetes object, got 'just a string'",
  ]);
  expect(read(text, files).problems).toMatchObject([{ file: 'm.yaml', includedBy: 't.yaml' }]);
  const good = read(text, { 'm.yaml': map('a') }).declared[0]!;
  expect(
    formatProblem(
      good.problem(errorAt(['spec', 'resources', 1, 'manifest', 'kind'], 'must be x', 'r')),
    ),
  ).toBe('m.yaml:2:7 kind must be x');
});

test('a finding about a declaration is located in the file', () => {
  const one = read(head('a', 'spec:\n  className: c\n')).declared[0]!;
  expect(formatProblem(one.problem(errorAt(['spec', 'className'], 'must be x', 'r')))).toBe(
    't.yaml:6:14 spec.className must be x',
  );
  expect(formatProblem(one.problem(errorAt(['spec', 'quota', 'hard'], 'must be x', 'r')))).toBe(
    't.yaml:6:3 spec.quota.hard must be x',
  );
});

test('an item of a List in a declaration has its own place', () => {
  const list = '{apiVersion: v1, kind: List, items: [{kind: A}, {kind: B}]}';
  const text = head('a', `spec:\n  resources:\n    - manifest: {}\n    - manifest: ${list}\n`);
  const one = read(text).declared[0]!;
  const finding = errorAt(['spec', 'resources', 2, 'manifest', 'kind'], 'must be x', 'r');
  expect(formatProblem(one.problem(finding))).toBe(
    't.yaml:8:72 spec.resources[1].manifest.items[1].kind must be x',
  );
});
