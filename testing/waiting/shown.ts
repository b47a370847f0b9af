import { inspect } from 'node:util';
import { emitYaml } from '../../kube/yaml/write.ts';

/** What was seen, as YAML where it is an object of Kubernetes; without its managedFields. */
export function formatSeen(seen: unknown): string {
  if (typeof seen !== 'object' || seen === null || !('metadata' in seen)) return inspect(seen);
  const { managedFields: _, ...metadata } = seen.metadata as Record<string, unknown>;
  try {
    return emitYaml([{ ...seen, metadata }]).trimEnd();
  } catch {
    // An integer beyond 2^53, which YAML that is read back could not hold.
    return inspect({ ...seen, metadata }, { depth: null });
  }
}
