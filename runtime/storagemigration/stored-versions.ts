import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import type { Kind, Live } from '../kinds/kind.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { findLostField } from './lost-fields.ts';
import { projectionOf } from '../controller/projection-of.ts';

/**
 * A projection of CustomResourceDefinitions: the versions in which objects are stored, and the fields they would lose
 * in the storage version. No schema is kept.
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

/** A field that objects in a version have and the storage version lacks. */
export interface Loss {
  readonly version: string;
  readonly field: string;
}

/** Finds fields that would be lost. None if a webhook converts, since that is its responsibility. */
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

/** The version in which objects are to be stored, and those in which they may still be stored. */
export interface StorageVersions {
  readonly version: string;
  /** Other versions in which objects may be stored. */
  readonly others: readonly string[];
  /** Fields that would be lost by a write, because nothing converts them. */
  readonly losses: readonly Loss[];
  /** The kind to read and write objects with: in the storage version, if that is served. */
  readonly kind: Kind;
}

/** @returns undefined before the objects are served, and if none of the versions is */
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
