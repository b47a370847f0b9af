import type { Path } from '@tenantry/kube/problem';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { ClassRegistry } from '../model/class-registry.ts';
import type { Platform, TenantClassDeclaration } from '../model/declaration.ts';

/** The maximum number of attempts; each one removes something. */
const MAX_ROUNDS = 200;

/**
 * Removes from a derived class what no class may have, such as a preset with wildcards. Namespaces with such objects are
 * then declared without the preset, and the rules decide about each of them.
 */
export function removeRefusedParts(
  klass: TenantClassDeclaration,
  platform: Platform,
): TenantClassDeclaration {
  let current = klass;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const registry = new ClassRegistry(platform);
    const added = registry.add(current);
    const errors = [...added, ...registry.check(current.name).findings].filter(
      ({ severity }) => severity === 'error',
    );
    if (errors.length === 0) return current;
    const spec = removeFirst(
      current.spec,
      errors.map(({ path }) => path.slice(1)),
    );
    if (!spec) break;
    current = { name: klass.name, spec };
  }
  return { ...klass, spec: { allow: klass.spec.allow ?? {} } };
}

/** Removes the part at the first path that leads to one; undefined if none does. */
function removeFirst(spec: TenantClassSpec, paths: readonly Path[]): TenantClassSpec | undefined {
  for (const path of paths) {
    // An item of a list is removed as a whole, and otherwise the field.
    const item = path.findIndex((part) => typeof part === 'number');
    const depth = item < 0 ? Math.min(path.length, 2) : item + 1;
    const less = depth > 0 ? removeAt(spec, path.slice(0, depth)) : undefined;
    if (less) return less as TenantClassSpec;
  }
  return undefined;
}

function removeAt(value: unknown, [part, ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null || part === undefined) return undefined;
  if (Array.isArray(value)) {
    if (typeof part !== 'number' || part >= value.length) return undefined;
    if (rest.length === 0) return value.toSpliced(part, 1);
    const inner = removeAt(value[part], rest);
    return inner === undefined ? undefined : value.with(part, inner);
  }
  if (!Object.hasOwn(value, part)) return undefined;
  const { [part]: own, ...others } = value as Record<string, unknown>;
  if (rest.length === 0) return others;
  const inner = removeAt(own, rest);
  return inner === undefined ? undefined : { ...others, [part]: inner };
}
