import { isMapping } from '@tenantry/kube/mapping';
import { formatPath, type Path } from '@tenantry/kube/problem';

/** Lists a copy of an object for each of its mappings, with a key in it that no version of any system has. */
export function listWithUnknownKeys(
  object: Readonly<Record<string, unknown>>,
): { readonly object: Record<string, unknown>; readonly field: string }[] {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
  return listMappings(fields, []).map((path) => ({
    object: addKey(object, path) as Record<string, unknown>,
    field: formatPath([...path, 'unknownToAll']),
  }));
}

function listMappings(value: unknown, path: Path): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => listMappings(item, [...path, i]));
  if (!isMapping(value)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => listMappings(one, [...path, key]));
  return [path, ...inner];
}

function addKey(value: unknown, [part, ...rest]: Path): unknown {
  if (part === undefined) return { ...(value as object), unknownToAll: { deep: ['x'] } };
  if (Array.isArray(value)) return value.map((item, i) => (i === part ? addKey(item, rest) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [
      key,
      key === part ? addKey(one, rest) : one,
    ]),
  );
}
