import { fieldTable } from './openapi/field-table.ts';
import { listKeys } from './openapi/list-keys.ts';

/** Types by name, each with its fields in the text form of the table; parsed on first use. */
let lines: ReadonlyMap<string, string> | undefined;
const known = new Map<string, ReadonlyMap<string, string>>();

function linesByType(): ReadonlyMap<string, string> {
  lines ??= new Map(
    fieldTable
      .trim()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ');
        return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
      }),
  );
  return lines;
}

/**
 * Returns the fields of a type of Kubernetes with the names of their types, or undefined for a type without fields,
 * such as `string`. A namespaced kind is a type too: `apps/v1/Deployment`. A type is `[]` or `{}` (a list, a map)
 * before another type, a scalar (`string`, `boolean`, `int32`, `int64`, `number`, `bytes`, `time`, `microtime`,
 * `quantity`, `int-or-string`), `any`, or the name of a type.
 */
export function builtinFields(type: string): ReadonlyMap<string, string> | undefined {
  const line = linesByType().get(type);
  if (line === undefined) return undefined;
  const fields = known.get(type) ?? parseFields(line);
  known.set(type, fields);
  return fields;
}

function parseFields(line: string): ReadonlyMap<string, string> {
  const fields = line === '' ? [] : line.split(' ');
  return new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1)];
    }),
  );
}

/** The versions of each kind, by group and name. Most lookups are for other kinds. */
let versions: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the apiVersions under which Kubernetes serves a namespaced kind of its own, including those that are off by
 * default. Stable ones come first, then the newest.
 */
export function builtinVersions(group: string, kind: string): readonly string[] {
  versions ??= versionsByKind();
  return versions.get(`${group}/${kind}`) ?? [];
}

function versionsByKind(): ReadonlyMap<string, readonly string[]> {
  // Names of kinds contain a slash: `v1/Pod`, `apps/v1/Deployment`. Other names are types of fields.
  const kinds = [...linesByType().keys()].flatMap((type) => {
    const [kind = '', version, group = ''] = type.split('/').toReversed();
    return version === undefined ? [] : [{ id: `${group}/${kind}`, group, version }];
  });
  const byKind = Map.groupBy(kinds, ({ id }) => id);
  return new Map(
    [...byKind].map(([id, all]) => [
      id,
      all
        .toSorted((a, b) => byStability(a.version, b.version))
        .map(({ group, version }) => (group === '' ? version : `${group}/${version}`)),
    ]),
  );
}

/** Compares versions as API discovery does: v2 before v1, both before v2beta1, and that before v1alpha1. */
function byStability(a: string, b: string): number {
  const rank = (version: string): number =>
    version.includes('alpha') ? 2 : version.includes('beta') ? 1 : 0;
  return rank(a) - rank(b) || b.localeCompare(a, 'en', { numeric: true });
}

/** A field that identifies the items of a list. */
export interface ListKey {
  readonly name: string;
  /** The value of an item without the field; undefined if there is none. */
  readonly default?: unknown;
}

/** Types and fields, each with its keys; parsed on first use. */
let lists: ReadonlyMap<string, readonly ListKey[]> | undefined;

/**
 * Returns the keys by which server-side apply identifies the items of a list, for a field of a type of Kubernetes (as
 * in `builtinFields`): `ServiceSpec` and `ports` give `port` and `protocol`. The result is empty for a set, whose items
 * identify themselves. It is undefined for a list that is replaced as a whole, and for a field that is not a list.
 */
export function builtinListKeys(type: string, field: string): readonly ListKey[] | undefined {
  lists ??= new Map(listKeys.trim().split('\n').map(parseList));
  return lists.get(`${type} ${field}`);
}

function parseList(line: string): [string, readonly ListKey[]] {
  const [type, field, ...keys] = line.split(' ');
  return [`${type} ${field}`, keys[0] === '*' ? [] : keys.map(parseKey)];
}

function parseKey(written: string): ListKey {
  const equals = written.indexOf('=');
  if (equals < 0) return { name: written };
  return { name: written.slice(0, equals), default: JSON.parse(written.slice(equals + 1)) };
}
