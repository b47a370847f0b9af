import { errorAt, type Finding } from '../../../kube/finding.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { formatPath, show, type Path } from '../../../kube/problem.ts';
import type { ClassException } from '../../../crds/tenantry/types.ts';

/** A single permission in an exception. */
export interface ExceptionPart {
  /** The path in the exception: `ceilings.quota.pods`, or `allow.clusters[0]` for an item of a list. */
  readonly path: Path;
  readonly value: unknown;
}

/** Lists the smallest parts of an exception that can be removed separately. */
export function listExceptionParts({ ceilings, allow }: ClassException): ExceptionPart[] {
  return [...listParts(ceilings ?? {}, ['ceilings']), ...listParts(allow ?? {}, ['allow'])];
}

function listParts(value: object, path: Path): ExceptionPart[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const at = [...path, key];
    if (Array.isArray(inner)) return inner.map((item, i) => ({ path: [...at, i], value: item }));
    return isMapping(inner) ? listParts(inner, at) : [{ path: at, value: inner }];
  });
}

/** Returns the exception without one of its parts. */
export function removePart(exception: ClassException, { path }: ExceptionPart): ClassException;
export function removePart(exception: object, { path }: ExceptionPart): object {
  return removeAtPath(exception, path);
}

function removeAtPath(value: object, [key, ...rest]: Path): object {
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1);
  const entries = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (name !== String(key)) return [[name, inner]];
    return rest.length > 0 ? [[name, removeAtPath(inner as object, rest)]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Finds two exceptions that set different values for one field, so that their order would decide. Lists are added up,
 * and an exception for one namespace overrides one for the whole tenant.
 */
export function findExceptionConflict(exceptions: readonly ClassException[]): Finding | undefined {
  const indexByKey = new Map<string, number>();
  for (const [i, exception] of exceptions.entries()) {
    for (const { path, value } of listExceptionParts(exception)) {
      if (typeof path.at(-1) === 'number') continue;
      for (const [tenant, where] of listScopes(exception)) {
        const key = JSON.stringify([tenant, where, path]);
        const other = indexByKey.get(key);
        if (other !== undefined && other !== i) {
          const whom = where === undefined ? `tenant ${tenant}` : `namespace ${where}`;
          const got = `${show(value)} beside ${formatPath(['spec', 'exceptions', other])}`;
          const message = `must be set once for ${whom}, got ${got}`;
          return errorAt(['spec', 'exceptions', i, ...path], message, 'exception-conflict');
        }
        indexByKey.set(key, i);
      }
    }
  }
  return undefined;
}

function listScopes({ tenants, namespaces }: ClassException): [string, string | undefined][] {
  return tenants.flatMap((tenant) =>
    (namespaces ?? [undefined]).map((where): [string, string | undefined] => [tenant, where]),
  );
}
