import type { ResourceEntry, ResourcePreset } from '../../../crds/resources.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { canonical, same } from './counting.ts';

/** The number of equal shapes that make a preset. */
const SHAPE = 3;

type Path = readonly (string | number)[];

/**
 * Finds presets by counting shapes: common values of all objects of a shape are literal, and the others are parameters.
 */
export function resourcePresets(objects: readonly KubeObject[]): ResourcePreset[] {
  const shapes = Map.groupBy(objects.filter(isLiteral), (object) => canonical(shapeOf(object)));
  const presets = [...shapes.values()]
    .filter((alike) => alike.length >= SHAPE)
    .toSorted((a, b) => b.length - a.length)
    .map(presetOf);
  const taken = new Map<string, number>();
  return presets.map((preset) => {
    const times = (taken.get(preset.name) ?? 0) + 1;
    taken.set(preset.name, times);
    return times === 1 ? preset : { ...preset, name: `${preset.name}-${times}` };
  });
}

/** Returns an object as a use of the first preset that can make it; otherwise the object itself. */
export function entryFor(object: KubeObject, presets: readonly ResourcePreset[]): ResourceEntry {
  const { namespace: _own, ...metadata } = object.metadata;
  const manifest = { ...object, metadata };
  for (const { name, manifests } of presets) {
    const values = new Map<string, unknown>();
    if (fits(manifests[0], manifest, values)) {
      return { preset: name, ...(values.size > 0 && { values: Object.fromEntries(values) }) };
    }
  }
  return { manifest };
}

/** Returns whether no text in the object could be confused with a placeholder. */
const isLiteral = (object: KubeObject): boolean => !/\{[a-z]/.test(JSON.stringify(object));

const isLeaf = (value: unknown): boolean =>
  !isMapping(value) && !(Array.isArray(value) && value.some((item) => typeof item === 'object'));

/** Returns the object with types instead of values, and with a placeholder for each repetition of its name. */
function shapeOf(object: KubeObject): unknown {
  const { namespace: _own, ...metadata } = object.metadata;
  const of = (value: unknown): unknown => {
    if (value === metadata.name) return '{name}';
    if (isLeaf(value)) return Array.isArray(value) ? 'list' : typeof value;
    if (Array.isArray(value)) return value.map(of);
    return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, of(v)]));
  };
  const { apiVersion, kind } = object;
  return { ...(of({ ...object, metadata }) as object), apiVersion, kind };
}

function presetOf(alike: readonly KubeObject[]): ResourcePreset {
  const parameters = new Map<string, unknown>();
  const first = alike[0]!;
  const build = (values: readonly unknown[], path: Path): unknown => {
    const [value] = values;
    const isName = alike.every(({ metadata }, i) => values[i] === metadata.name);
    const isSame = values.every((one) => same(one, value));
    if (isSame && !isName && isLeaf(value)) return value;
    if (isLeaf(value)) {
      const name = isName ? 'name' : parameterName(path, parameters);
      parameters.set(name, schemaOf(value));
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
  const bare = alike.map(({ metadata: { namespace: _own, ...metadata }, ...rest }) => ({
    ...rest,
    metadata,
  }));
  const template = build(bare, []) as Record<string, unknown>;
  return {
    name: first.kind.toLowerCase(),
    parameters: {
      type: 'object',
      required: [...parameters.keys()],
      properties: Object.fromEntries(parameters) as never,
    },
    manifests: [template],
  };
}

/** Returns the last name in the path that no other parameter has. */
function parameterName(path: Path, taken: ReadonlyMap<string, unknown>): string {
  const words = path.filter((part) => typeof part === 'string');
  for (let length = 1; length <= words.length; length += 1) {
    const name = words
      .slice(-length)
      .join('-')
      .replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, letter: string = '') => letter.toUpperCase())
      .replace(/^[^a-z]+/, (text) => text.toLowerCase());
    if (!taken.has(name)) return name;
  }
  return `p${taken.size}`;
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: { type: typeof value[0] } };
  return { type: typeof value };
}

function fits(template: unknown, value: unknown, values: Map<string, unknown>): boolean {
  const name = typeof template === 'string' ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined;
  if (name !== undefined) {
    if (values.has(name)) return same(values.get(name), value);
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
  if (!isMapping(template)) return same(template, value);
  return (
    isMapping(value) &&
    same(Object.keys(template).toSorted(), Object.keys(value).toSorted()) &&
    Object.entries(template).every(([key, inner]) => fits(inner, value[key], values))
  );
}
