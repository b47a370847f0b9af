import { expect, test } from '@jest/globals';
import { errorAt } from '@tenantry/kube/finding';
import { MAX_DEFINITION, readDefinitions } from '../manifests.ts';
import { formatProblem } from '@tenantry/kube/problem';

/** A definition as YAML, with the given lines in its schema. */
const crd = (schema = '', name = 'boxes'): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${name}.example.com
spec:
  group: example.com
  names: { kind: Box, plural: ${name} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
${schema}`;

const asJson = (yaml: string): object =>
  structuredClone(readDefinitions('a.yaml', yaml).definitions[0]!.manifest);

function problems(text: string): string[] {
  const { problems, definitions } = readDefinitions('a.yaml', text);
  expect(definitions).toEqual([]);
  return problems.map(formatProblem);
}

test('definitions are read from several documents, lists and JSON', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [asJson(crd()), asJson(crd('', 'cases'))] };
  const typed = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinitionList',
    items: [{ ...asJson(crd()), apiVersion: undefined, kind: undefined }],
  };
  const names = (text: string): string[] => {
    const read = readDefinitions('a.yaml', text);
    expect(read.problems).toEqual([]);
    return read.definitions.map(({ manifest }) => manifest.metadata.name);
  };
  const both = ['boxes.example.com', 'cases.example.com'];
  expect(names(`${crd()}---\n${crd('', 'cases')}`)).toEqual(both);
  expect(names(JSON.stringify(list))).toEqual(both);
  expect(names(`\uFEFF${JSON.stringify(list, undefined, 2)}\n`)).toEqual(both);
  expect(names(JSON.stringify(typed))).toEqual(['boxes.example.com']);
  expect(names(JSON.stringify(asJson(crd())))).toEqual(['boxes.example.com']);
});

test('a definition without a name is reported', () => {
  for (const metadata of [{}, { name: null }, { labels: { a: 'b' } }]) {
    const [problem] = problems(JSON.stringify({ ...asJson(crd()), metadata }));
    expect(problem).toMatch(/^a\.yaml:1:\d+ metadata\.name must be a string, got nothing$/);
  }
});

test('other objects are skipped and listed', () => {
  const other = 'apiVersion: v1\nkind: Service\nmetadata: { name: hooks }\n';
  const read = readDefinitions('a.yaml', `${other}---\n${crd()}`);
  expect(read.skipped).toEqual([{ file: 'a.yaml', kind: 'Service', name: 'hooks' }]);
  expect(read.definitions).toHaveLength(1);
  expect(problems(other)).toEqual(['a.yaml must hold a CustomResourceDefinition, got Service']);
  expect(problems('# nothing\n')).toEqual([
    'a.yaml must hold a CustomResourceDefinition, got nothing',
  ]);
});

test('the fields that only a cluster writes are left out', () => {
  const bare = asJson(crd());
  const { definitions } = readDefinitions(
    'a.json',
    JSON.stringify({
      ...bare,
      metadata: {
        name: 'boxes.example.com',
        uid: 'b1',
        creationTimestamp: null,
        managedFields: [{}],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      },
      status: { conditions: [], storedVersions: ['v1'] },
    }),
  );
  expect(definitions[0]!.manifest).toEqual(bare);
});

test('null is dropped, except inside a default and in an enum', () => {
  const schema = `          nullable: null
          properties:
            a: { type: object, default: { b: null }, x-kubernetes-preserve-unknown-fields: true }
            c: { type: string, nullable: true, default: null, enum: [x, null] }
`;
  const [one] = readDefinitions('a.yaml', crd(schema)).definitions;
  expect(one!.manifest.spec.versions[0]!.schema!.openAPIV3Schema).toEqual({
    type: 'object',
    properties: {
      a: { type: 'object', default: { b: null }, 'x-kubernetes-preserve-unknown-fields': true },
      c: { type: 'string', nullable: true, enum: ['x', null] },
    },
  });
});

test('a definition locates problems in its file', () => {
  const yaml = readDefinitions('a.yaml', `# a\n---\n${crd()}`).definitions[0]!;
  const path = ['spec', 'versions', 0, 'served'];
  expect(formatProblem(yaml.problem(errorAt(path, 'must be a boolean', 'rule')))).toBe(
    'a.yaml:13:15 spec.versions[0].served must be a boolean',
  );
  const list = { kind: 'List', apiVersion: 'v1', items: [asJson(crd())] };
  const [json] = readDefinitions('a.json', JSON.stringify(list, undefined, 1)).definitions;
  expect(formatProblem(json!.problem(errorAt(path, 'must be a boolean', 'rule')))).toMatch(
    /^a\.json:\d+:\d+ items\[0\]\.spec\.versions\[0\]\.served must be a boolean$/,
  );
});

test('fields that the API server drops are dropped, with a warning', () => {
  const read = readDefinitions('a.yaml', crd('          descripton: A box.\n'));
  expect(read.warnings.map(formatProblem)).toEqual([
    "a.yaml:16:23 spec.versions[0].schema.openAPIV3Schema.descripton must be a field that the API server knows, got 'descripton', which it drops; did you mean 'description'?",
  ]);
  expect(read.definitions[0]!.manifest).toEqual(asJson(crd()));
});

test.each([
  [
    'no definition',
    'just words',
    "a.yaml:1:1 must be a CustomResourceDefinition (apiextensions.k8s.io/v1), got 'just words'",
  ],
  [
    'no kind',
    'a: 1',
    'a.yaml:1:1 kind must be CustomResourceDefinition (apiextensions.k8s.io/v1), got no kind',
  ],
  [
    'v1beta1',
    crd().replace('io/v1', 'io/v1beta1'),
    "a.yaml:1:13 apiVersion must be 'apiextensions.k8s.io/v1', got 'apiextensions.k8s.io/v1beta1', which Kubernetes stopped serving in 1.22; take the project's newer manifests, or move spec.validation, spec.subresources and spec.additionalPrinterColumns into each of spec.versions",
  ],
  [
    'another group',
    crd().replace('apiextensions.k8s.io', 'example.com'),
    "a.yaml:1:13 apiVersion must be 'apiextensions.k8s.io/v1', got 'example.com/v1'",
  ],
  ['broken YAML', `${crd()}  - a: [`, /^a\.yaml:\d+:\d+ must be YAML: /],
  [
    'a reference',
    crd("          properties: { a: { $ref: '#/definitions/a' } }\n"),
    "a.yaml:16:36 spec.versions[0].schema.openAPIV3Schema.properties.a.$ref must be the schema itself (the API server follows no reference), got '#/definitions/a'",
  ],
  [
    'a schema that contains itself',
    crd('          properties: &a { a: { type: object, properties: *a } }\n'),
    "a.yaml:16:59 must not contain itself, got '*a'",
  ],
  [
    'a wrong type',
    crd('          required: name\n'),
    "a.yaml:16:21 spec.versions[0].schema.openAPIV3Schema.required must be a list, got 'name'",
  ],
  [
    'an unknown word',
    crd().replace('Namespaced', 'namespaced'),
    "a.yaml:8:10 spec.scope must be one of Cluster, Namespaced, got 'namespaced'",
  ],
  [
    'a field that is missing',
    crd().replace('group: example.com', 'scope: Cluster').replace('  scope: Namespaced\n', ''),
    'a.yaml:6:3 spec.group must be a string, got nothing',
  ],
  [
    'a template around it',
    `{{- if .Values.crds }}\n${crd()}{{- end }}\n`,
    "a.yaml:1:1 must be plain YAML, got '{{- if .Values.crds }}' of a template; render it first, for example with `helm template`",
  ],
  [
    'a template in it',
    crd().replace('group: example.com', 'group: {{ .Values.group }}'),
    "a.yaml:6:10 must be plain YAML, got '{{ .Values.group }}' of a template; render it first, for example with `helm template`",
  ],
  [
    'a template in quotes',
    crd().replace('group: example.com', "group: '{{ .Values.group }}'"),
    "a.yaml:6:10 spec.group must be plain YAML, got '{{ .Values.group }}' of a template; render it first, for example with `helm template`",
  ],
])('%s is one problem', (_, text, message) => {
  const [one, ...more] = problems(text);
  expect(more).toEqual([]);
  expect(one).toMatch(typeof message === 'string' ? new RegExp(`^${escape(message)}$`) : message);
});

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

test('braces in a description are not taken for a template', () => {
  const { definitions } = readDefinitions(
    'a.yaml',
    crd("          description: 'Use {{ name }}.'\n"),
  );
  expect(definitions).toHaveLength(1);
});

test('excessive nesting is refused, in JSON too', () => {
  const deep = (json: string): string =>
    JSON.stringify(asJson(crd())).replace('"type":"object"', `"type":"object",${json}`);
  const items = `"items":${'{"items":'.repeat(10_000)}{}${'}'.repeat(10_000)}`;
  expect(problems(deep(items)).join()).toContain('must be nested at most 64 deep, got more');
  const value = `"default":${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect(problems(deep(value)).join()).toContain('must be nested at most 64 deep, got more');
});

test('a definition too large for etcd is refused, and one too large for client-side apply gets a warning', () => {
  const described = (length: number): string =>
    crd(`          description: ${'a'.repeat(length)}\n`);
  expect(problems(described(MAX_DEFINITION))).toEqual([
    expect.stringMatching(
      /^a\.yaml:1:1 must be at most 1572864 bytes as JSON, which is what etcd takes, got 15\d+$/,
    ),
  ]);
  const read = readDefinitions('a.yaml', described(1_000_000));
  expect(read.definitions).toHaveLength(1);
  expect(read.warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^must be at most 262144 bytes as JSON for `kubectl apply`, got 1000/),
  ]);
});

test('an invalid definition does not hide the others in its file', () => {
  const broken = crd().replace('Namespaced', 'Everywhere');
  const read = readDefinitions('a.yaml', `${broken}---\n${crd('', 'cases')}`);
  expect(read.problems).toHaveLength(1);
  expect(read.definitions.map(({ manifest }) => manifest.metadata.name)).toEqual([
    'cases.example.com',
  ]);
});

test('fields may have the names of built-in properties of JavaScript', () => {
  const schema =
    '          properties: { __proto__: { type: string }, constructor: { type: string } }\n';
  const [one] = readDefinitions('a.yaml', crd(schema)).definitions;
  const { properties } = one!.manifest.spec.versions[0]!.schema!.openAPIV3Schema!;
  expect(Object.keys(properties!)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
});

test('of a thousand problems the first ones are reported', () => {
  const fields = Array.from(
    { length: 1000 },
    (_, i) => `          wrong${i}: ${'x'.repeat(1000)}\n`,
  );
  const { warnings } = readDefinitions('a.yaml', crd(fields.join('')));
  expect(warnings).toHaveLength(21);
  expect(formatProblem(warnings.at(-1)!)).toBe('a.yaml:1:1 and 980 more');
});
