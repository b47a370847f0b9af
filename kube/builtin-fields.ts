import { fieldTable } from './openapi/field-table.ts';

/** Types by their names, each with its fields as they are written; read when the first is asked for. */
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
 * The fields of a type of Kubernetes, with the names of their types, or undefined for one that has
 * none of its own, such as `string`. A kind that lies in namespaces is a type too: `apps/v1/Deployment`.
 * Types are `[]` and `{}` (a list, a map) before another, a scalar (`string`, `boolean`, `int32`,
 * `int64`, `number`, `bytes`, `time`, `microtime`, `quantity`, `int-or-string`), `any`, or such a type.
 */
export function builtinFields(type: string): ReadonlyMap<string, string> | undefined {
  const line = linesByType().get(type);
  if (line === undefined) return undefined;
  const fields = known.get(type) ?? fieldsOf(line);
  known.set(type, fields);
  return fields;
}

function fieldsOf(line: string): ReadonlyMap<string, string> {
  const fields = line === '' ? [] : line.split(' ');
  return new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1)];
    }),
  );
}

/** The versions of each kind, by its group and name: most objects that are asked for are of none of them. */
let versions: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The apiVersions under which Kubernetes serves a kind of its own that lies in namespaces, those that
 * are served only where somebody turns them on among them; stable ones first, then the newest.
 */
export function builtinVersions(group: string, kind: string): readonly string[] {
  versions ??= versionsByKind();
  return versions.get(`${group}/${kind}`) ?? [];
}

function versionsByKind(): ReadonlyMap<string, readonly string[]> {
  // `v1/Pod`, `apps/v1/Deployment`; what has no slash is the type of a field.
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

/** As in API discovery: v2 before v1, both before v2beta1, that before v1alpha1. */
function byStability(a: string, b: string): number {
  const rank = (version: string): number =>
    version.includes('alpha') ? 2 : version.includes('beta') ? 1 : 0;
  return rank(a) - rank(b) || b.localeCompare(a, 'en', { numeric: true });
}
