import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Kind, Live } from '../kinds/kind.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { findLostField } from './lost-fields.ts';
import { projectionOf } from '../controller/projection-of.ts';

/**
 * Of a CustomResourceDefinition, what says in which versions its objects are stored, and what they lose on their way
 * into the storage version: no schema is kept.
 */
export const StoringDefinition = projectionOf(CustomResourceDefinition, ({ spec, status }) => ({
  group: spec.group,
  names: { kind: spec.names.kind, plural: spec.names.plural },
  scope: spec.scope,
  versions: spec.versions.map(({ name, served, storage }) => ({ name, served, storage })),
  losses: findLosses(spec),
  storedVersions: status?.storedVersions ?? [],
  isEstablished: status?.conditions?.some(isEstablished) ?? false,
}));

/** Of objects in a version, a field that the storage version has not. */
export interface Loss {
  readonly version: string;
  readonly field: string;
}

/** None where a webhook converts: that is its business. */
function findLosses({
  conversion,
  versions,
}: Live<typeof CustomResourceDefinition>['spec']): Loss[] {
  const to = versions.find(({ storage }) => storage)?.schema?.openAPIV3Schema;
  if (conversion?.strategy === 'Webhook' || !to) return [];
  return versions.flatMap(({ name, schema }) => {
    const from = schema?.openAPIV3Schema;
    const field = from && findLostField(from as JSONSchemaProps, to as JSONSchemaProps);
    return field === undefined ? [] : [{ version: name, field }];
  });
}

/** In which version objects are to be stored, and in which they may still be. */
export interface StorageVersions {
  readonly version: string;
  /** Versions that some object may be stored in, besides. */
  readonly others: readonly string[];
  /** What would be lost of them if they were written: nothing converts them. */
  readonly losses: readonly Loss[];
  /** By which objects are read and written: in the version that is stored, where that is served. */
  readonly kind: Kind;
}

/** @returns undefined before its objects are served, and where none of its versions is */
export function resolveStorageVersions({
  group,
  names,
  scope,
  versions,
  storedVersions,
  losses,
  isEstablished: isServed,
}: Live<typeof StoringDefinition>): StorageVersions | undefined {
  const stored = versions.find(({ storage }) => storage);
  const served = stored?.served ? stored : versions.find(({ served }) => served);
  if (!isServed || !stored || !served) return undefined;
  return {
    version: stored.name,
    others: storedVersions.filter((name) => name !== stored.name),
    losses: losses.filter(({ version }) => storedVersions.includes(version)),
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
