import { inspect } from 'node:util';
import { emitYaml } from '../../kube/yaml/write.ts';

/** Formats a value for an error: YAML for an object of Kubernetes, without managedFields. */
export function formatSeen(seen: unknown): string {
  if (typeof seen !== 'object' || seen === null || !('metadata' in seen)) return inspect(seen);
  const { managedFields: _, ...metadata } = seen.metadata as Record<string, unknown>;
  try {
    return emitYaml([{ ...seen, metadata }]).trimEnd();
  } catch {
    // An integer beyond 2^53 does not survive a round trip through YAML.
    return inspect({ ...seen, metadata }, { depth: null });
  }
}
