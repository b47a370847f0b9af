import { namespaces } from '../server/api.ts';
import { toKind } from '../server/served-kinds.ts';
import type { Actor } from './actor.ts';
import { findServedKind } from './garbage-collector.ts';

/** Empties namespaces that are being deleted, and then removes their finalizer. */
export const namespaceController: Actor = {
  name: 'namespace-controller',
  delay: [5, 3000],
  due: (server, api) => {
    const going = server.store
      .all(namespaces)
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (going.length === 0) return [];
    return going.flatMap((namespace) => {
      const inside = [...server.objects()].filter(
        ({ metadata }) => metadata.namespace === namespace.metadata.name,
      );
      if (inside.length === 0) {
        const spec = namespace['spec'] as { readonly finalizers?: readonly string[] };
        if ((spec.finalizers ?? []).length === 0) return [];
        return [() => api.setState(namespaces, namespace, (it) => ({ ...it, spec: {} }))];
      }
      return inside.flatMap((object) => {
        const served = findServedKind(server.kinds, object);
        if (!served || object.metadata.deletionTimestamp !== undefined) return [];
        const { uid } = object.metadata;
        const options = { preconditions: { uid } };
        return [() => void api.delete(toKind(served), object.metadata, options)];
      });
    });
  },
};
