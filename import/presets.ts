import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { ResourceEntry, ResourcePreset } from '../crds/resources.ts';
import { isEqual } from './counting.ts';

/** The number of equal shapes that make a preset. */
const SHAPE = 3;

type Path = readonly (string | number)[];

/**
 * Finds presets by counting shapes. What all objects of a shape have in common is literal, and the other values are
 * parameters.
 */
export function findResourcePresets(objects: readonly KubeObject[]): ResourcePreset[] {
  const shapes = Map.groupBy(objects.filter(isLiteral), (object) =>
    formatCanonicalJson(shapeOf(object)),
  );
  const presets = [...shapes.values()]
    .filter((alike) => alike.length >= SHAPE)
    .toSorted((a, b) => b.length - a.length)
    .flatMap((alike) => buildPreset(alike) ?? []);
  const taken = new Map<string, number>();
  return presets.map((preset) => {
    const times = (taken.get(preset.name) ?? 0) + 1;
    taken.set(preset.name, times);
    return times === 1 ? preset : { ...preset, name: `${preset.name}-${times}` };
  });
}

/** Returns an object as a use of the first preset that can make it; undefined if none can. */
export function usePreset(
  object: KubeObject,
  presets: readonly ResourcePreset[],
): ResourceEntry | undefined {
  const manifest = removeNamespace(object);
  for (const { name, manifests } of presets) {
    const values = new Map<string, unknown>();
    if (fits(manifests[0], manifest, values)) {
      return { preset: name, ...(values.size > 0 && { values: Object.fromEntries(values) }) };
    }
  }
  return undefined;
}

function removeNamespace({ metadata: { namespace: _own, ...metadata }, ...rest }: KubeObject) {
  return { ...rest, metadata } as KubeObject;
}

/** Whether no text in the object could be taken for a placeholder. */
const isLiteral = (object: KubeObject): boolean => !/\{[a-zA-Z]/.test(JSON.stringify(object));

const isLeaf = (value: unknown): boolean =>
  !isMapping(value) && !(Array.isArray(value) && value.some((item) => typeof item === 'object'));

/** Returns the object with types instead of values, and with a placeholder wherever its name occurs. */
function shapeOf(object: KubeObject): unknown {
  const { name } = object.metadata;
  const of = (value: unknown): unknown => {
    if (value === name) return '{name}';
    if (isLeaf(value)) return Array.isArray(value) ? 'list' : typeof value;
    if (Array.isArray(value)) return value.map(of);
    return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, of(v)]));
  };
  const { apiVersion, kind } = object;
  return { ...(of(removeNamespace(object)) as object), apiVersion, kind };
}

/** Returns undefined if a parameter would have values of several types. */
function buildPreset(alike: readonly KubeObject[]): ResourcePreset | undefined {
  const parameters = new Map<string, object>();
  let isTyped = true;
  const build = (values: readonly unknown[], path: Path): unknown => {
    const [value] = values;
    const isName = alike.every(({ metadata }, i) => values[i] === metadata.name);
    const isSame = values.every((one) => isEqual(one, value));
    if (isSame && !isName && isLeaf(value)) return value;
    if (isLeaf(value)) {
      const name = isName ? 'name' : nameParameter(path, parameters);
      const schema = buildSchema(values);
      if (schema) parameters.set(name, schema);
      else isTyped = false;
      return `{${name}}`;
    }
    if (Array.isArray(value)) {
      return value.map((_, i) =>
        build(
          values.map((one) => (one as unknown[])[i]),
          [...path, i],
        ),
      );
    }
    return Object.fromEntries(
      Object.keys(value as object).map((key) => {
        const inner = values.map((one) => (one as Readonly<Record<string, unknown>>)[key]);
        return [key, build(inner, [...path, key])];
      }),
    );
  };
  const template = build(alike.map(removeNamespace), []) as Record<string, unknown>;
  if (!isTyped) return undefined;
  return {
    name: alike[0]!.kind.toLowerCase(),
    parameters: {
      type: 'object',
      required: [...parameters.keys()],
      properties: Object.fromEntries(parameters) as never,
    },
    manifests: [template],
  };
}

/** Names that placeholders have everywhere. */
const reserved: ReadonlySet<string> = new Set(['tenant', 'namespace', 'environment', 'cluster']);

/** Returns the shortest end of the path that names no other parameter. */
function nameParameter(path: Path, taken: ReadonlyMap<string, unknown>): string {
  const words = path.filter((part) => typeof part === 'string');
  for (let length = 1; length <= words.length; length += 1) {
    const name = words
      .slice(-length)
      .join('-')
      .replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, letter: string = '') => letter.toUpperCase())
      .replace(/^[^a-z]+/, (text) => text.toLowerCase());
    if (/^[a-z]\w*$/.test(name) && !taken.has(name) && !reserved.has(name)) return name;
  }
  return `value${taken.size}`;
}

function buildSchema(values: readonly unknown[]): object | undefined {
  const isList = Array.isArray(values[0]);
  const types = new Set((isList ? values.flat() : values).map((value) => typeof value));
  const [type = 'string', ...others] = types;
  if (others.length > 0 || !['string', 'number', 'boolean'].includes(type)) return undefined;
  return isList ? { type: 'array', items: { type } } : { type };
}

function fits(template: unknown, value: unknown, values: Map<string, unknown>): boolean {
  const name =
    typeof template === 'string' && template.startsWith('{')
      ? /^\{(\w+)\}$/.exec(template)?.[1]
      : undefined;
  if (name !== undefined) {
    if (values.has(name)) return isEqual(values.get(name), value);
    values.set(name, value);
    return isLeaf(value);
  }
  if (Array.isArray(template)) {
    return (
      Array.isArray(value) &&
      template.length === value.length &&
      template.every((item, i) => fits(item, value[i], values))
    );
  }
  if (!isMapping(template)) return isEqual(template, value);
  return (
    isMapping(value) &&
    Object.keys(template).length === Object.keys(value).length &&
    Object.entries(template).every(
      ([key, inner]) => Object.hasOwn(value, key) && fits(inner, value[key], values),
    )
  );
}
