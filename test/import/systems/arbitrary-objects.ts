import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type Json, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { compileSchema } from '@tenantry/crd/schema';
import { arbitraryValue } from '@tenantry/crd/schema/arbitrary';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { SystemKind } from '../../../import/systems/tenancy-system.ts';
import { tenancySystems } from '../../../import/systems/translate-systems.ts';

/** Every kind of every system. */
export const systemKinds: readonly (SystemKind & { readonly system: string })[] =
  tenancySystems.flatMap(({ name, kinds }) => kinds.map((kind) => ({ ...kind, system: name })));

/** Namespaces of the sources. Their names, and those of people and roles, are long enough to be found in texts. */
export const namespaceNames = ['team-alpha', 'team-beta', 'team-gamma'];

const words = fc.constantFrom(
  ...namespaceNames,
  'user-of-somebody',
  'group-of-somebody',
  'role-of-somebody',
  'label-of-somebody',
  'in-cluster',
  'team-*',
  'https://git.example.com/team/app.git',
);

type Word = (text: string) => string;

/** Replaces some texts of a value by words that mean something in the source, where its schema allows it. */
function replaceTexts(schema: JSONSchemaProps | undefined, value: Json, pick: Word): Json {
  if (typeof value === 'string') {
    const word = pick(value);
    return schema && compileSchema(schema).accepts(word) ? word : value;
  }
  if (Array.isArray(value)) return value.map((one) => replaceTexts(schema?.items, one, pick));
  if (!isMapping(value)) return value;
  const { properties, additionalProperties } = schema ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const field =
        own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      return [key, replaceTexts(field, inner as Json, pick)];
    }),
  );
}

/** Kinds whose objects are in namespaces. */
const inNamespaces: ReadonlySet<string> = new Set([
  'argoproj.io/AppProject',
  'capsule.clastix.io/ResourcePoolClaim',
  'capsule.clastix.io/TenantResource',
  'hnc.x-k8s.io/HierarchicalResourceQuota',
  'hnc.x-k8s.io/HierarchyConfiguration',
  'hnc.x-k8s.io/SubnamespaceAnchor',
  'management.cattle.io/Project',
  'management.cattle.io/ProjectRoleTemplateBinding',
]);

/** Kinds of which only objects of one name are read. */
const onlyNames: ReadonlyMap<string, string> = new Map([
  ['hnc.x-k8s.io/HierarchyConfiguration', 'hierarchy'],
  ['hnc.x-k8s.io/HNCConfiguration', 'config'],
]);

/** Whether a tenancy system has the kind of an object. */
export function isOfSystem({ apiVersion, kind }: KubeObject): boolean {
  return systemKinds.some((one) => one.group === groupOf(apiVersion) && one.kind === kind);
}

/** Generates a valid object of a kind of a system. */
export function arbitraryObject(kind: SystemKind): fc.Arbitrary<KubeObject> {
  const value = arbitraryValue(kind.schema);
  const id = `${kind.group}/${kind.kind}`;
  const name = fc.constantFrom(...namespaceNames, 'shop');
  const picks = fc.array(fc.option(words, { nil: undefined }), { minLength: 40, maxLength: 40 });
  return fc.tuple(value, name, name, picks).map(([content, own, home, chosen]) => {
    let at = 0;
    const pick: Word = (text) => chosen[at++ % chosen.length] ?? text;
    const replaced = replaceTexts(kind.schema, content, pick);
    const valid = compileSchema(kind.schema).accepts(replaced) ? replaced : content;
    const fields = Object.entries(valid as object).filter(([key]) =>
      Object.hasOwn(kind.schema.properties ?? {}, key),
    );
    return {
      ...Object.fromEntries(fields),
      apiVersion: `${kind.group}/v1`,
      kind: kind.kind,
      metadata: {
        name: onlyNames.get(id) ?? own,
        ...(inNamespaces.has(id) && { namespace: home }),
      },
    };
  });
}

/** Lists the mappings of a valid value that have exactly the fields of their schema. */
export function listClosedMappings(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path = [],
): readonly Path[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    return value.flatMap((one: unknown, i) => listClosedMappings(items, one, [...path, i]));
  }
  const { properties, additionalProperties } = schema;
  if (!isMapping(value) || (!properties && !additionalProperties)) return [];
  const isClosed = properties !== undefined && !schema['x-kubernetes-preserve-unknown-fields'];
  const inner = Object.entries(value).flatMap(([key, field]) => {
    const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const next =
      own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return next ? listClosedMappings(next, field, [...path, key]) : [];
  });
  // The object itself has the fields of every object besides.
  return isClosed || path.length === 0 ? [path, ...inner] : inner;
}

/** Returns a copy of a value with one more key in one of its mappings. */
export function addKey(value: unknown, path: Path, key: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return { ...(value as object), [key]: 'anything' };
  if (Array.isArray(value)) {
    return value.map((one: unknown, i) => (i === first ? addKey(one, rest, key) : one));
  }
  const mapping = value as Readonly<Record<string, unknown>>;
  return { ...mapping, [first]: addKey(mapping[first], rest, key) };
}

/** Lists the paths of all scalars and empty values. */
export function listLeaves(value: unknown, path: Path = []): readonly Path[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => listLeaves(inner, [...path, key]));
}

/** Lists all texts of a value, keys included. */
export function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...listTexts(inner)]);
}
