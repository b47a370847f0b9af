import { omitUndefined } from '@tenantry/kube/mapping';
import { formatCanonicalJson } from '@tenantry/kube/json';
import type { ClassException } from '../crds/types.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';

/** The maximum number of exceptions of a class, by its schema. */
const MAX_EXCEPTIONS = 100;

/** Classes with the exceptions of all tenants, and the tenants that another class than the first one has. */
interface DistributedExceptions {
  readonly classes: readonly TenantClassDeclaration[];
  /** The names of classes by tenant. */
  readonly classNames: ReadonlyMap<string, string>;
}

/**
 * Gives a class the exceptions of tenants, equal ones as one. If a class can have no more, further classes extend it and
 * have the others.
 */
export function distributeExceptions(
  klass: TenantClassDeclaration,
  tenants: readonly (readonly [name: string, exceptions: readonly ClassException[]])[],
): DistributedExceptions {
  const chunks: ClassException[][] = [];
  const chunkOf = new Map<string, number>();
  let current: ClassException[] = [];
  for (const [name, own] of tenants) {
    if (own.length === 0) continue;
    const joined = joinEqual([...current, ...own]);
    if (joined.length > MAX_EXCEPTIONS && current.length > 0) {
      chunks.push(current);
      current = joinEqual(own);
    } else current = joined;
    chunkOf.set(name, chunks.length);
  }
  chunks.push(current);
  const nameChunk = (i: number): string => `${klass.name}-${i + 1}`;
  const [first = [], ...others] = chunks;
  const classes = others.map((exceptions, i): TenantClassDeclaration => {
    const description = `As ${klass.name}, with further exceptions`;
    return { name: nameChunk(i + 1), spec: { description, extends: klass.name, exceptions } };
  });
  return {
    classes: [withExceptions(klass, first), ...classes],
    classNames: new Map(
      [...chunkOf].flatMap(([name, i]) => (i === 0 ? [] : [[name, nameChunk(i)] as const])),
    ),
  };
}

/** Returns the class with exceptions in place of its own. */
export function withExceptions(
  klass: TenantClassDeclaration,
  exceptions: readonly ClassException[],
): TenantClassDeclaration {
  if (exceptions.length === 0) return klass;
  return { ...klass, spec: { ...klass.spec, exceptions } };
}

/** Joins exceptions that allow the same. One for whole tenants is not joined with one for single namespaces. */
function joinEqual(exceptions: readonly ClassException[]): ClassException[] {
  const groups = Map.groupBy(exceptions, ({ tenants: _tenants, namespaces, ...rest }) =>
    formatCanonicalJson({ ...rest, isForNamespaces: namespaces !== undefined }),
  );
  return [...groups.values()].map((equal) => {
    const [{ tenants: _tenants, namespaces, ...rest }] = equal as [ClassException];
    return omitUndefined<ClassException>({
      tenants: [...new Set(equal.flatMap((one) => one.tenants))],
      namespaces: namespaces && [...new Set(equal.flatMap((one) => one.namespaces ?? []))],
      ...rest,
    });
  });
}
