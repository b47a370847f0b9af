import { valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import type { Finding } from '@tenantry/kube/finding';
import { validateSpec } from '../crds/declared-kind.ts';
import { platform as platformKind, type PlatformSpec } from '../crds/platform.ts';
import { ClassRegistry } from '../model/class-registry.ts';
import { removeAtPath } from '../model/classes/exceptions.ts';
import type { Platform, TenantClassDeclaration } from '../model/declaration.ts';
import { toTenantClassObject } from '../model/declared-objects.ts';
import { resolvePlatform } from '../model/platform.ts';
import { validatePlatform } from '../model/rules/platform.ts';
import { findSteeringText } from './steering-text.ts';

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
  const { name } = klass;
  const spec = reduce(klass.spec, (spec) => {
    const registry = new ClassRegistry(platform);
    const findings = [...registry.add({ name, spec }), ...registry.check(name).findings];
    return [...findings, ...findSteeringText(toTenantClassObject({ name, spec }))];
  });
  return { name, spec: spec ?? { allow: klass.spec.allow ?? {} } };
}

/**
 * Removes from a derived platform what no platform may have.
 * @throws {InvalidInput} when the user's own part of it is wrong
 */
export function resolveDerivedPlatform(derived: PlatformSpec): {
  readonly spec: PlatformSpec;
  readonly platform: Platform;
} {
  const findErrors = (spec: PlatformSpec): readonly Finding[] => {
    const faults = validateSpec(platformKind, spec);
    return faults.length > 0 ? faults : validatePlatform(spec);
  };
  const spec = reduce(derived, findErrors) ?? derived;
  return { spec, platform: resolvePlatform(spec) };
}

/** Removes the parts of errors, one after the other; undefined if errors remain that are about no part. */
function reduce<T extends object>(spec: T, check: (spec: T) => readonly Finding[]): T | undefined {
  let current = spec;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const errors = check(current).filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return current;
    const less = removeFirst(
      current,
      errors.map(({ path }) => path.slice(1)),
    );
    if (!less) return undefined;
    current = less;
  }
  return undefined;
}

/** Removes the part at the first path that leads to one; undefined if none does. */
function removeFirst<T extends object>(spec: T, paths: readonly Path[]): T | undefined {
  for (const path of paths) {
    // An item of a list is removed as a whole, and otherwise the field.
    const item = path.findIndex((part) => typeof part === 'number');
    const depth = item < 0 ? Math.min(path.length, 2) : item + 1;
    const part = path.slice(0, depth);
    if (depth > 0 && valueAt(spec, part) !== undefined) return removeAtPath(spec, part) as T;
  }
  return undefined;
}
