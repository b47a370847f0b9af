import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { UserProject } from '@tenantry/test-tools/surface/user-project';
import { crd, imported, typesOf } from './project.ts';

const string = { type: 'string' };

test('scalars, lists and maps', () => {
  const properties = {
    name: string,
    count: { type: 'integer', format: 'int32' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    tags: { type: 'array', items: string },
    ports: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
    grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    labels: { type: 'object', additionalProperties: string },
    'a-b': string,
    note: { ...string, nullable: true },
    notes: { type: 'array', items: { ...string, nullable: true } },
  };
  expect(typesOf({ type: 'object', required: ['name', 'note'], properties })).toBe(
    `export interface BoxSpec {
  readonly 'a-b'?: string;
  readonly count?: number;
  readonly grid?: readonly (readonly number[])[];
  readonly labels?: { readonly [key: string]: string };
  readonly name: string;
  readonly note: string | null;
  readonly notes?: readonly (string | null)[];
  readonly on?: boolean;
  readonly port?: number | string;
  readonly ports?: readonly (number | string)[];
  readonly ratio?: number;
  readonly tags?: readonly string[];
}`,
  );
});

test('enums are unions of literals, and get a name if they are long', () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const properties = {
    mode: { ...string, enum: ['a', "it's", ''] },
    size: { type: 'integer', enum: [1, 2] },
    days: { type: 'array', items: { ...string, enum: days } },
    odd: { ...string, enum: ['x'], nullable: true },
    // No string is 1, so the type does not mention it.
    wrong: { ...string, enum: [1] },
  };
  expect(typesOf({ type: 'object', properties })).toBe(
    `export interface BoxSpec {
  readonly days?: readonly BoxSpecDay[];
  readonly mode?: 'a' | "it's" | '';
  readonly odd?: 'x' | null;
  readonly size?: 1 | 2;
  readonly wrong?: string;
}

export type BoxSpecDay =
  ${days.map((day) => `'${day}'`).join(' | ')};`,
  );
});

test('an undeclared value is unknown, never any', () => {
  const properties = {
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    half: {
      type: 'object',
      properties: { a: string },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    object: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    // The API server drops all of its fields.
    empty: { type: 'object' },
  };
  expect(typesOf({ type: 'object', properties })).toBe(
    `export interface BoxSpec {
  readonly anything?: unknown;
  readonly empty?: { readonly [key: string]: never };
  readonly free?: { readonly [key: string]: unknown };
  readonly half?: BoxSpecHalf;
  readonly object?: BoxSpecObject;
}

export interface BoxSpecHalf {
  readonly a?: string;
  readonly [field: string]: unknown;
}

export interface BoxSpecObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly [key: string]: unknown };
  readonly [field: string]: unknown;
}`,
  );
});

test('a field with a default is optional in the written type, and required in the stored one', () => {
  const inner = { type: 'object', properties: { a: { ...string, default: 'x' }, b: string } };
  const properties = { count: { type: 'integer', default: 1 }, inner, name: string };
  expect(typesOf({ type: 'object', required: ['count', 'name'], properties })).toBe(
    `export interface BoxSpec {
  readonly count?: number;
  readonly inner?: BoxSpecInner;
  readonly name: string;
}

export interface BoxSpecStored extends Omit<BoxSpec, 'count' | 'inner'> {
  readonly count: number;
  readonly inner?: BoxSpecInnerStored;
}

export interface BoxSpecInner {
  readonly a?: string;
  readonly b?: string;
}

export interface BoxSpecInnerStored extends Omit<BoxSpecInner, 'a'> {
  readonly a: string;
}`,
  );
});

test('equal objects are one type, with the name from Kubernetes', () => {
  const selector = {
    type: 'object',
    properties: {
      matchLabels: { type: 'object', additionalProperties: string },
      matchExpressions: {
        type: 'array',
        items: { type: 'object', properties: { key: string, operator: string } },
      },
    },
  };
  const ref = { type: 'object', properties: { group: string, name: string } };
  const properties = {
    from: selector,
    to: selector,
    rules: { type: 'array', items: { type: 'object', properties: { ref, selector } } },
    policies: { type: 'array', items: { type: 'object', properties: { ref, weight: string } } },
  };
  expect(typesOf({ type: 'object', properties }).match(/interface \w+|readonly .*;/g)).toEqual([
    'interface BoxRef',
    'readonly group?: string;',
    'readonly name?: string;',
    'interface BoxSpec',
    'readonly from?: LabelSelector;',
    'readonly policies?: readonly BoxSpecPolicy[];',
    'readonly rules?: readonly BoxSpecRule[];',
    'readonly to?: LabelSelector;',
    'interface BoxSpecPolicy',
    'readonly ref?: BoxRef;',
    'readonly weight?: string;',
    'interface BoxSpecRule',
    'readonly ref?: BoxRef;',
    'readonly selector?: LabelSelector;',
    'interface LabelSelector',
    'readonly matchExpressions?: readonly LabelSelectorMatchExpression[];',
    'readonly matchLabels?: { readonly [key: string]: string };',
    'interface LabelSelectorMatchExpression',
    'readonly key?: string;',
    'readonly operator?: string;',
  ]);
});

test('a name of more than 80 characters is shortened, and does not depend on other names', () => {
  const chain = (last: string): JSONSchemaProps =>
    [
      'configuration',
      'authentication',
      'providers',
      'credentials',
      'reference',
    ].reduceRight<JSONSchemaProps>(
      (inner, name) => ({
        type: 'object',
        properties: { [name.repeat(2)]: inner, size: { ...string, default: 'a' } },
      }),
      { type: 'object', properties: { [last]: string, other: { ...string, default: 'b' } } },
    );
  const namesOf = (spec: JSONSchemaProps): string[] =>
    [...typesOf(spec).matchAll(/^export interface (\w+)/gm)].map(([, name]) => name!);
  const names = namesOf(chain('key'));
  expect(Math.max(...names.map((name) => name.length))).toBe(80);
  expect(new Set(names).size).toBe(names.length);
  const others = { type: 'object', properties: { ...chain('key').properties, alpha: chain('b') } };
  expect(namesOf(others)).toEqual(expect.arrayContaining(names.filter((name) => name.length > 74)));
  expect(names.filter((name) => /_[0-9a-f]{8}_/.test(name))).not.toEqual([]);
});

test('an incomplete schema gets a fallback type, which is reported', () => {
  const properties = { list: { type: 'array' }, nothing: {}, guess: { properties: { a: string } } };
  const { text, warnings } = imported(
    crd({ type: 'object', properties: { spec: { type: 'object', properties } } }),
  );
  const at = 'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties';
  expect(warnings.map(({ path, message }) => `${path} ${message}`)).toEqual([
    `${at}.guess is imported as an object, because the schema has properties and names no type`,
    `${at}.list is imported as a list of unknown items, because the schema does not describe them`,
    `${at}.nothing is imported as unknown, because the schema names no type`,
  ]);
  expect(text).toContain(
    '// - v1 spec.nothing is imported as unknown, because the schema names no type\n',
  );
});

test('comments contain the beginning of a description, bounds, rules and defaults', () => {
  const name = {
    ...string,
    description: `The name.\nOn two lines.\n\nMore of it.\n\nDeprecated: use id.`,
    minLength: 1,
    maxLength: 63,
    pattern: '^[a-z]+$',
    default: 'a*/',
    'x-kubernetes-validations': [{ rule: "self != 'x'", message: 'must not be x' }],
  };
  const long = {
    ...string,
    description: `${'word '.repeat(30)}end. ${'More of it. '.repeat(200)}`,
  };
  const keyed = {
    type: 'object',
    oneOf: [{ required: ['name'] }, { required: ['long'] }],
    properties: { name, long },
  };
  const { text } = imported(crd({ type: 'object', properties: { spec: keyed } }));
  expect(text).toContain(`  /**
   * The name. On two lines.
   * 1 to 63 characters. Pattern: \`^[a-z]+$\`
   * Rule: must not be x
   * @deprecated use id.
   * @default "a*\\/"
   */
  readonly name?: string;`);
  expect(text).toContain('  /** Exactly one of: name, long. */\n  readonly spec?: BoxSpec;');
  const types = text.slice(0, text.indexOf('// prettier-ignore'));
  expect(Math.max(...types.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(types.match(/More of it\./g)!.length).toBeLessThan(20);
});

const version = (name: string, schema: object, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...more,
});

test('every version has types, a served one has a class, and the preferred one has the plain names', () => {
  const spec = (properties: object): object => ({
    type: 'object',
    properties: { spec: { type: 'object', properties } },
  });
  const { text } = imported(
    crd(
      {},
      {
        versions: [
          version('v1alpha1', spec({ a: string }), { served: false }),
          version('v1beta1', spec({ size: string }), { deprecated: true }),
          version('v1', spec({ size: { type: 'integer' } })),
          version('v1beta2', spec({ size: { type: 'integer' } })),
        ],
      },
    ),
  );
  expect(text.match(/^ *(?:export .*|readonly .*Schema.*)$/gm)).toEqual([
    'export const boxDefinition = definitionOf<{',
    '  readonly v1: Schema<BoxInput>;',
    '  readonly v1beta2: Schema<BoxInput>;',
    '  readonly v1beta1: Schema<v1beta1.BoxInput>;',
    '  readonly v1alpha1: Schema<v1alpha1.BoxInput>;',
    "export class Box extends customResource(boxDefinition, 'v1') {}",
    "export class BoxV1beta2 extends customResource(boxDefinition, 'v1beta2') {}",
    "export class BoxV1beta1 extends customResource(boxDefinition, 'v1beta1') {}",
    'export interface BoxInput {',
    'export interface BoxSpec {',
    'export declare namespace v1beta1 {',
    '  export interface BoxInput {',
    '  export interface BoxSpec {',
    'export declare namespace v1alpha1 {',
    '  export interface BoxInput {',
    '  export interface BoxSpec {',
  ]);
  expect(text).toContain(' * @deprecated example.com/v1beta1 is deprecated\n');
});

test('a class refuses wrong fields at compile time, and its objects are rendered', async () => {
  const spec = {
    type: 'object',
    required: ['name', 'count'],
    properties: {
      name: string,
      count: { type: 'integer', default: 1 },
      mode: { ...string, enum: ['a', 'b'] },
    },
  };
  const { path, text } = imported(
    crd({ type: 'object', required: ['spec'], properties: { spec, status: { type: 'object' } } }),
  );
  const project = new UserProject({
    [path]: text,
    'main.ts': `
import { Chart, Testing } from 'cdk8s';
import { crdManifest } from '@tenantry/crd';
import { type Input, type Static } from '@tenantry/crd/schema';
import { Box, boxDefinition, type BoxSpec, type BoxSpecStored } from './${path}';

const chart = new Chart(Testing.app(), 'chart');
new Box(chart, 'a', { metadata: { name: 'a' }, spec: { name: 'x', mode: 'a' } });
console.log(JSON.stringify([Testing.synth(chart), crdManifest(boxDefinition).metadata.name]));

const written: BoxSpec = { name: 'x' };
const stored: BoxSpecStored = { name: 'x', count: 1 };
export const input: Input<typeof boxDefinition.versions.v1.schema> = { spec: written };
export const result: Static<typeof boxDefinition.versions.v1.schema> = { spec: stored };
// @ts-expect-error a default is there in what is stored
export const bare: Static<typeof boxDefinition.versions.v1.schema> = { spec: written };
export const wrong = [
  // @ts-expect-error a name is mandatory
  () => new Box(chart, 'b', { spec: {} }),
  // @ts-expect-error there is no such field
  () => new Box(chart, 'c', { spec: { name: 'x', nam: 'y' } }),
  // @ts-expect-error one of two words
  () => new Box(chart, 'd', { spec: { name: 'x', mode: 'c' } }),
  // @ts-expect-error a status is written by a controller
  () => new Box(chart, 'e', { spec: { name: 'x' }, status: {} }),
  // @ts-expect-error a spec is mandatory
  () => new Box(chart, 'f', {}),
];
`,
  });
  try {
    expect(await project.compile()).toBe('');
    const object = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a' } };
    expect(JSON.parse(await project.run('main.ts'))).toEqual([
      [{ ...object, spec: { name: 'x', mode: 'a' } }],
      'boxes.example.com',
    ]);
  } finally {
    project.remove();
  }
});

test('restrictions of metadata in a schema make no type, and its objects are validated', async () => {
  const words = Array.from({ length: 9 }, (_, i) => `the-name-of-cluster-${i}`);
  const kinds: [kind: string, name: object, rule: string][] = [
    ['Cluster', { ...string, enum: ['cluster'] }, "self.metadata.name == 'cluster'"],
    ['Other', { ...string, enum: words }, 'true'],
    ['Short', { ...string, pattern: '^[a-z]+$', maxLength: 9 }, 'true'],
  ];
  const modules = kinds.map(([kind, name, rule], i) => {
    const metadata = { type: 'object', properties: { name } };
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const template = {
      ...embedded,
      properties: { metadata, apiVersion: { ...string, enum: words } },
    };
    const spec = { type: 'object', properties: { size: { type: 'integer' }, template } };
    const schema = {
      type: 'object',
      properties: { metadata, spec },
      'x-kubernetes-validations': [{ rule }],
    };
    return imported(crd(schema, { names: { kind, plural: `kind${i}s` }, scope: 'Cluster' }));
  });
  const types = modules.map(({ text }) => text.match(/(?<=^export (?:interface|type) )\w+/gm));
  expect(types).toEqual(
    kinds.map(([kind]) => [`${kind}Input`, `${kind}Spec`, `${kind}SpecTemplate`]),
  );
  const project = new UserProject({
    ...Object.fromEntries(modules.map(({ path, text }) => [path, text])),
    'main.ts': `
import { App, Chart } from 'cdk8s';
${kinds.map(([kind], i) => `import { ${kind} } from './${modules[i]!.path}';`).join('\n')}

for (const name of ['cluster', 'the-name-of-cluster-3', 'main']) {
  const chart = new Chart(new App(), 'chart');
  const made = [${kinds.map(([kind]) => `new ${kind}(chart, '${kind}', { metadata: { name }, spec: { size: 3 } })`).join(', ')}];
  console.log(made.filter(({ node }) => node.validate().length === 0).map(({ kind }) => kind).join());
}
`,
  });
  try {
    expect(await project.compile()).toBe('');
    expect(await project.run('main.ts')).toBe('Cluster,Short\nOther\nShort\n');
  } finally {
    project.remove();
  }
});
