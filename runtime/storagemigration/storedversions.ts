import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Kind, Live } from '../kinds/kind.ts';
import { projectionOf } from '../controller/projectionof.ts';

/** Of a CustomResourceDefinition, what says in which versions its objects are stored: no schema is kept. */
export const StoringDefinition = projectionOf(CustomResourceDefinition, ({ spec, status }) => ({
  group: spec.group,
  names: { kind: spec.names.kind, plural: spec.names.plural },
  scope: spec.scope,
  versions: spec.versions.map(({ name, served, storage }) => ({ name, served, storage })),
  storedVersions: status?.storedVersions ?? [],
  isEstablished: status?.conditions?.some(isEstablished) ?? false,
}));

/** In which version objects are to be stored, and in which they may still be. */
export interface Storage {
  readonly version: string;
  /** Versions that some object may be stored in, besides. */
  readonly others: readonly string[];
  /** By which objects are read and written: in the version that is stored, where that is served. */
  readonly kind: Kind;
}

/** @returns undefined before its objects are served, and where none of its versions is */
export function storageOf({
  group,
  names,
  scope,
  versions,
  storedVersions,
  isEstablished: isServed,
}: Live<typeof StoringDefinition>): Storage | undefined {
  const stored = versions.find(({ storage }) => storage);
  const served = stored?.served ? stored : versions.find(({ served }) => served);
  if (!isServed || !stored || !served) return undefined;
  return {
    version: stored.name,
    others: storedVersions.filter((name) => name !== stored.name),
    kind: {
      group,
      version: served.name,
      kind: names.kind,
      plural: names.plural,
      scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    },
  };
}

function isEstablished(condition: { readonly type: string; readonly status: string }): boolean {
  return condition.type === 'Established' && condition.status === 'True';
}
