import { show } from '../../../kube/problem.ts';
import { isQualifiedName } from '../../../kube/names.ts';
import type { Finding, TenantClassDeclaration } from '../declaration.ts';
import { annotationsFault, declaredSize, MAX_OBJECT } from './size.ts';

/** What the API server has against a class that its schema lets through; the first of it. */
export function classFault(klass: TenantClassDeclaration): Finding | undefined {
  for (const part of ['labels', 'annotations'] as const) {
    const key = Object.keys(klass[part] ?? {}).find((one) => !isQualifiedName(one));
    if (key === undefined) continue;
    const message = `must be a key such as 'example.com/name', got ${show(key)}`;
    return { path: ['metadata', part, key], message, rule: 'key', severity: 'error' };
  }
  const fault = annotationsFault(klass.annotations);
  if (fault) {
    const path = ['metadata', 'annotations'];
    return { path, message: fault, rule: 'annotations-size', severity: 'error' };
  }
  const size = declaredSize(klass);
  if (size <= MAX_OBJECT) return undefined;
  const message = `must be at most ${MAX_OBJECT} bytes, so that the cluster can keep the class, got ${size}`;
  return { path: ['spec'], message, rule: 'object-size', severity: 'error' };
}
