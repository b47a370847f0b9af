import { hash } from 'node:crypto';
import { formatCanonicalJson } from '../../kube/equality.ts';
import type { KubeObject } from '../../kube/object.ts';
import { expected } from './expected.ts';

/**
 * Returns a digest of all objects that a tenant declares for a cluster. It changes if an object changes in meaning, in
 * a label or an annotation, or is added or removed. The order does not matter. For kinds that Tenantry does not render,
 * the notation matters.
 */
export function declaredDigest(objects: readonly KubeObject[]): string {
  const texts = objects.map((object) => {
    const { key, digest } = expected(object);
    const { labels, annotations } = object.metadata;
    return formatCanonicalJson([key, digest ?? object, labels ?? {}, annotations ?? {}]);
  });
  return hash('sha256', texts.toSorted().join('\n'), 'base64url').slice(0, 22);
}
