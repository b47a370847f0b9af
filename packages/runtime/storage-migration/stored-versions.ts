import { CustomResourceDefinition } from '../kinds/apiextensions.ts';
import { type Kind, type Live, projectionOf } from '../kinds/kind.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

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
interface Loss {
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

/**
 * Returns a field of one version that another one lacks, such as `spec.size`; undefined if there is none. Without a
 * conversion webhook, the API server drops it when an object is converted from the first version to the second.
 */
export function findLostField(from: JSONSchemaProps, to: JSONSchemaProps): string | undefined {
  return findLostBelow(withoutMetadata(from), to, []);
}

/** The metadata of an object is never dropped, whether the schema describes it or not. */
function withoutMetadata({ properties = {}, ...schema }: JSONSchemaProps): JSONSchemaProps {
  const { apiVersion: _, kind: __, metadata: ___, ...others } = properties;
  return { ...schema, properties: others };
}

type Path = readonly string[];

function findLostBelow(from: JSONSchemaProps, to: JSONSchemaProps, path: Path): string | undefined {
  if (keepsAll(from) && !keepsAll(to)) return formatFieldPath(path);
  for (const [name, schema] of Object.entries(from.properties ?? {})) {
    const lost = findLostAt(schema, to.properties?.[name] ?? to.additionalProperties, to, [
      ...path,
      name,
    ]);
    if (lost !== undefined) return lost;
  }
  if (typeof from.items === 'object') {
    const lost = findLostAt(from.items, to.items, to, [...path, '*']);
    if (lost !== undefined) return lost;
  }
  const { additionalProperties } = from;
  if (additionalProperties === undefined || additionalProperties === false) return undefined;
  return findLostAt(additionalProperties, to.additionalProperties, to, [...path, '*']);
}

function findLostAt(
  from: JSONSchemaProps | boolean,
  to: JSONSchemaProps | boolean | undefined,
  parent: JSONSchemaProps,
  path: Path,
): string | undefined {
  if (to === undefined || to === false) return keepsAll(parent) ? undefined : formatFieldPath(path);
  if (from === true || to === true || from === false) return undefined;
  return findLostBelow(from, to, path);
}

/** Whether undescribed fields below it are kept. */
const keepsAll = (schema: JSONSchemaProps): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

const formatFieldPath = (path: Path): string =>
  path.length === 0 ? 'fields of any name' : path.join('.');
