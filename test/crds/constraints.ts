import { crdManifest } from '@tenantry/crd/definition';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate } from '@tenantry/crd/schema/validate';
import { brokenRules, valuesOf } from '@tenantry/crd/test/schema/language/given';

export type Fields = Readonly<Record<string, unknown>>;

/** One place in the schema, and the smallest valid object around it. */
interface Place {
  readonly path: string;
  readonly node: JSONSchemaProps;
  /** The value there. */
  readonly value: unknown;
  /** The object with another value there. */
  around(value: unknown): Fields;
}

/** What one constraint of a place refuses, and nothing else does. */
export interface Breach {
  readonly constraint: string;
  readonly object: Fields;
}

const texts = [
  'a',
  '1',
  'v1.36',
  '10.0.0.0/8',
  '50%',
  'unlimited',
  'UTC',
  '2027-01-31',
  '1h',
  '* * * * *',
  'https://a',
  'get',
];

/** Texts that fit the pattern of their place, and break a rule about them. */
const textsThatBreakRules = ['*.svc.cluster.local'];

/** A valid value, as small as can be. */
function least(node: JSONSchemaProps): unknown {
  if (node['x-kubernetes-embedded-resource'])
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
  if (node['x-kubernetes-preserve-unknown-fields']) return {};
  if (node.enum) return node.enum[0];
  if (node['x-kubernetes-int-or-string'] || node.type === 'integer') return node.minimum ?? 0;
  if (node.type === 'boolean') return true;
  if (node.items) return Array.from({ length: node.minItems ?? 0 }, () => least(node.items!));
  if (valuesOf(node)) return node.minProperties ? entries(node, node.minProperties) : {};
  if (node.properties) return objectWith(node);
  return texts.find((text) => validate(node, text).length === 0);
}

/** A valid value with something in it. */
function filled(node: JSONSchemaProps): unknown {
  const [first] = Object.entries(node.properties ?? {});
  if (first) return { ...objectWith(node, first[0]), [first[0]]: filled(first[1]) };
  if (valuesOf(node)) return entries(node, 1);
  return node.items ? [least(node.items)] : least(node);
}

function entries(node: JSONSchemaProps, count: number): Fields {
  const value = least(valuesOf(node)!);
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));
}

/** The item of a list that is different from those before it, as long as there are any. */
function item(node: JSONSchemaProps, keys: readonly string[] | undefined, i: number): unknown {
  const [key] = keys ?? [];
  if (key) return { ...objectWith(node), [key]: item(node.properties![key]!, undefined, i) };
  if (node.enum) return node.enum[i % node.enum.length];
  const letters = String.fromCodePoint(97 + Math.trunc(i / 26), 97 + (i % 26));
  const others = [letters, `10.0.0.${i}/32`, i + 1, `https://${letters}`, `action//A/${letters}`];
  return others.find((value) => validate(node, value).length === 0) ?? least(node);
}

/** The objects with the required fields, and every choice of those that the rules speak of. */
function* choices(node: JSONSchemaProps, field?: string): Generator<Fields> {
  const { properties = {}, required = [] } = node;
  const rules = node['x-kubernetes-validations'] ?? [];
  const base = Object.fromEntries(required.map((name) => [name, least(properties[name]!)]));
  const spokenOf = rules.flatMap(({ rule }) =>
    [...rule.matchAll(/self\.(\w+)/g)].map(([, name]) => name!),
  );
  let objects: Fields[] = [base];
  for (const name of new Set([...spokenOf, ...(field === undefined ? [] : [field])])) {
    const inner = properties[name]!;
    const values = [least(inner), filled(inner), 1].filter(
      (value) => validate(inner, value).length === 0,
    );
    const optional = name !== field && !required.includes(name);
    objects = objects.flatMap((object) => [
      ...(optional ? [object] : []),
      ...values.map((value) => ({ ...object, [name]: value })),
    ]);
  }
  yield* objects;
}

/** The smallest valid object, with a certain field if need be. */
function objectWith(node: JSONSchemaProps, field?: string): Fields {
  for (const object of choices(node, field))
    if (brokenRules(node, object).length === 0) return object;
  throw new Error(`there must be a valid object, got none: ${node.description}`);
}

function* placesOf(place: Place): Generator<Place> {
  yield place;
  const { path, node, value, around } = place;
  for (const [name, inner] of Object.entries(node.properties ?? {})) {
    const base = node['x-kubernetes-validations']
      ? objectWith(node, name)
      : { [name]: least(inner), ...(value as Fields) };
    const inside = (value: unknown) => around({ ...base, [name]: value });
    yield* placesOf({ path: `${path}.${name}`, node: inner, value: base[name], around: inside });
  }
  const inner = node.items ?? valuesOf(node);
  if (!inner) return;
  const [first = least(inner)] = Object.values(value as Fields);
  const inside = (value: unknown) => around(node.items ? [value] : { 'key-0': value });
  yield* placesOf({ path: `${path}[]`, node: inner, value: first, around: inside });
}

function* breaches({ path, node, value, around }: Place): Generator<Breach> {
  const breach = (what: string, value: unknown): Breach => ({
    constraint: `${path}: ${what}`,
    object: around(value),
  });
  yield breach('type', node.type === 'boolean' ? 'true' : true);
  if (node.enum) yield breach('enum', 'NoSuchWord');
  if (node.pattern !== undefined) yield breach('pattern', ' ');
  if (node.minLength !== undefined) yield breach('minLength', 'a'.repeat(node.minLength - 1));
  if (node.maxLength !== undefined) yield breach('maxLength', tooLong(node, node.maxLength + 1));
  if (node.minimum !== undefined) yield breach('minimum', node.minimum - 1);
  if (node.maximum !== undefined) yield breach('maximum', node.maximum + 1);
  const list = (length: number): unknown[] =>
    Array.from({ length }, (_, i) => item(node.items!, node['x-kubernetes-list-map-keys'], i));
  if (node.minItems !== undefined) yield breach('minItems', list(node.minItems - 1));
  if (node.maxItems !== undefined) yield breach('maxItems', list(node.maxItems + 1));
  const listType = node['x-kubernetes-list-type'];
  if (listType === 'set' || listType === 'map') {
    yield breach('unique', [least(node.items!), least(node.items!)]);
  }
  const { minProperties, maxProperties } = node;
  if (minProperties !== undefined) yield breach('minProperties', entries(node, minProperties - 1));
  if (maxProperties !== undefined) yield breach('maxProperties', entries(node, maxProperties + 1));
  const rules = node['x-kubernetes-validations'] ?? [];
  if (!node.properties) {
    for (const { rule } of rules)
      yield breach(
        rule,
        textsThatBreakRules.find((text) => validate(node, text).length === 1),
      );
    return;
  }
  const fields = Object.entries(value as Fields);
  for (const name of node.required ?? []) {
    const less = fields.filter(([field]) => field !== name);
    yield breach(`required ${name}`, Object.fromEntries(less));
  }
  yield breach('unknown field', { ...(value as Fields), noSuchField: 'a' });
  for (const { rule } of rules) {
    const only = choices(node).find((object) => brokenRules(node, object).join() === rule);
    yield breach(rule, only);
  }
}

/** Where a pattern bounds the length too, nothing is too long alone; then it breaks both. */
function tooLong({ pattern = '' }: JSONSchemaProps, length: number): string {
  const ones = '1'.repeat(length);
  const long = [
    'a'.repeat(length),
    ones,
    `${ones.slice(2)}/8`,
    'A'.repeat(length),
    ...['https://', '* * * * '].map((head) => head + ones.slice(head.length)),
  ];
  return long.find((text) => new RegExp(pattern).test(text)) ?? ones;
}

/** How many constraints the schema of a CRD has, by its keywords. */
function countOf(schema: Fields): number {
  const { properties, items, additionalProperties } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const fields = Object.values((properties ?? {}) as Record<string, Fields>);
  const own = [
    schema['type'] !== undefined || schema['x-kubernetes-int-or-string'] !== undefined,
    listType === 'set' || listType === 'map',
    properties !== undefined,
    ...keywords.map((keyword) => schema[keyword] !== undefined),
  ].filter(Boolean).length;
  const lists = [schema['required'], schema['x-kubernetes-validations']] as (
    unknown[] | undefined
  )[];
  const inner = [...fields, items, additionalProperties].filter((one) => one !== undefined);
  return (
    own +
    lists.reduce((sum, list) => sum + (list?.length ?? 0), 0) +
    inner.reduce<number>((sum, one) => sum + countOf(one as Fields), 0)
  );
}

const lengths = 'minLength maxLength minItems maxItems minProperties maxProperties';
const keywords = `enum pattern minimum maximum ${lengths}`.split(' ');

/** Objects of a kind: the smallest at every place of its schema, and those that break one constraint. */
export interface Trials {
  readonly valid: readonly Fields[];
  readonly breaches: readonly Breach[];
  /** How many constraints the schema in its definition has. */
  readonly count: number;
}

const headOf = ({ apiVersion, kind }: DeclaredKind) => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
});

export function trialsOf(kind: DeclaredKind): Trials {
  const around = (spec: unknown) => ({ ...headOf(kind), spec });
  const places = [...placesOf({ path: 'spec', node: kind.spec, value: {}, around })];
  const valid = new Set(places.map(({ value, around }) => JSON.stringify(around(value))));
  const { spec } = crdManifest(kind).spec.versions[0]!.schema!.openAPIV3Schema!.properties!;
  return {
    valid: [...valid].map((text) => JSON.parse(text) as Fields),
    breaches: places.flatMap((place) => [...breaches(place)]),
    count: countOf(spec as Fields),
  };
}

/** What the head of an object may be, and what it may not. */
export function headsOf(kind: DeclaredKind): {
  readonly good: readonly Fields[];
  readonly bad: readonly Fields[];
} {
  const head = headOf(kind);
  const { apiVersion, kind: name, metadata } = head;
  const wrong = ['', 'a.b', 'A', '-a', 'a_b', 'a'.repeat(64), 1, {}].map((name) => ({ name }));
  return {
    good: ['a', 'a-1', 'a'.repeat(63)].map((name) => ({ ...head, metadata: { name } })),
    bad: [
      { kind: name, metadata },
      { apiVersion, metadata },
      { apiVersion, kind: name },
      { ...head, spec: [] },
      { ...head, noSuchField: 'a' },
      { ...head, metadata: { ...metadata, noSuchField: 'a' } },
      ...[{}, [], ...wrong].map((metadata) => ({ ...head, metadata })),
    ],
  };
}
