import { hash } from 'node:crypto';
import { formatCanonicalJson } from '../../kube/equality.ts';
import type { KubeObject } from '../../kube/object.ts';
import { expected } from './expected.ts';

/**
 * Of all that a tenant is declared to have on a cluster: another one where one of the objects means something else,
 * has another label or annotation, comes or goes, and the same whatever their order. Of kinds that Tenantry does
 * not make, how they are written counts.
 */
export function declaredDigest(objects: readonly KubeObject[]): string {
  const texts = objects.map((object) => {
    const { key, digest } = expected(object);
    const { labels, annotations } = object.metadata;
    return formatCanonicalJson([key, digest ?? object, labels ?? {}, annotations ?? {}]);
  });
  return hash('sha256', texts.toSorted().join('\n'), 'base64url').slice(0, 22);
}
