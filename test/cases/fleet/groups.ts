import type { Original } from './originals.ts';
import { namespaceIn } from './platform.ts';

/** The annotation with which the fleet names the application of a namespace. */
const SOURCE = 'platform.example.com/source-code';

/**
 * Groups the namespaces of one application as one tenant; a namespace without an application is a tenant of its own.
 */
export function groupsOf(originals: readonly Original[]): readonly (readonly Original[])[] {
  const groups = Map.groupBy(originals, (one) => {
    return namespaceIn(one).metadata.annotations?.[SOURCE] || one.namespace;
  });
  return [...groups.values()];
}
