import type { Original } from './originals.ts';
import { namespaceIn } from './platform.ts';

/** The annotation by which the fleet says of which application a namespace is. */
const SOURCE = 'platform.example.com/source-code';

/** The namespaces of one application are of one tenant; those that name none stand alone. */
export function groupsOf(originals: readonly Original[]): readonly (readonly Original[])[] {
  const groups = Map.groupBy(originals, (one) => {
    return namespaceIn(one).metadata.annotations?.[SOURCE] || one.namespace;
  });
  return [...groups.values()];
}
