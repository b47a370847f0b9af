import { errorAt, type Finding } from '../../../kube/finding.ts';
import { show } from '../../../kube/problem.ts';
import { isQualifiedName } from '../../../kube/names.ts';
import type { Platform, TenantClassDeclaration } from '../declaration.ts';
import { findExceptionConflict } from '../classes/exception-parts.ts';
import { validateResourcePresets } from './presets.ts';
import { findAnnotationsFault, computeDeclaredSize, MAX_OBJECT } from './size.ts';

/** Validates a class beyond its schema. */
export function validateClass(klass: TenantClassDeclaration, platform: Platform): Finding[] {
  const fault = findClassFault(klass);
  // The presets of a class with a parent are validated when the parent is known.
  const isAlone = klass.spec.extends === undefined;
  const presets = isAlone ? validateResourcePresets(klass, platform) : [];
  return [...(fault ? [fault] : []), ...presets];
}

/** Returns the first error of the class by itself. */
function findClassFault(klass: TenantClassDeclaration): Finding | undefined {
  for (const part of ['labels', 'annotations'] as const) {
    const key = Object.keys(klass[part] ?? {}).find((one) => !isQualifiedName(one));
    if (key === undefined) continue;
    const message = `must be a key such as 'example.com/name', got ${show(key)}`;
    return errorAt(['metadata', part, key], message, 'key');
  }
  const message = findAnnotationsFault(klass.annotations);
  if (message) return errorAt(['metadata', 'annotations'], message, 'annotations-size');
  const size = computeDeclaredSize(klass);
  if (size <= MAX_OBJECT) return findExceptionConflict(klass.spec.exceptions ?? []);
  const must = `must be at most ${MAX_OBJECT} bytes, so that the cluster can keep the class`;
  return errorAt(['spec'], `${must}, got ${size}`, 'object-size');
}
