import type { Definition } from '../../../crds/definition.ts';
import type { ScaleSubresource } from '../../../crds/custom-resource-definition.ts';
import type { Scope } from '../../../kube/builtin-kinds.ts';
import type { Fields } from './stored.ts';

/** How the server treats objects of a kind. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** The versions by their names. */
  readonly versions: readonly string[];
  /** Whether the status is a subresource, which other writes do not change. */
  readonly hasStatus: boolean;
  /** Whether changes outside of metadata and status increase the generation. */
  readonly hasGeneration: boolean;
  /** Whether an update may omit the resource version. */
  readonly isUpdatedBlindly: boolean;
  /** Whether an update creates an object that does not exist. */
  readonly isMadeByUpdate: boolean;
  readonly scale?: ScaleSubresource | undefined;
  /** The definition of a custom resource. */
  readonly definition?: Definition | undefined;
  /** Fills in defaults of built-in kinds. */
  readonly defaults?: ((object: Fields) => Fields) | undefined;
  /** The first status of an object, where it has one. */
  readonly firstStatus?: Fields | undefined;
  /** Fields for field selectors, besides name and namespace: `spec.nodeName`. */
  readonly selectable?: readonly string[] | undefined;
  /** Paths of immutable fields, with dots. */
  readonly fixed?: readonly string[] | undefined;
}

/** Builds the kind of a custom resource. @throws {Error} for versions that a webhook converts */
export function buildServedKind(definition: Definition): ServedKind {
  const { group, kind, plural, scope, conversion } = definition;
  if (conversion && conversion.strategy !== 'None') {
    throw new Error(
      `${plural}.${group} must have versions that differ in apiVersion alone to be simulated, got conversion by ${conversion.strategy}`,
    );
  }
  const versions = Object.values(definition.versions);
  const stored = versions.find(({ storage }) => storage) ?? versions[0];
  return {
    group,
    kind,
    plural,
    scope,
    versions: versions.filter(({ served }) => served).map(({ name }) => name),
    hasStatus: stored?.subresources.status ?? false,
    hasGeneration: true,
    isUpdatedBlindly: false,
    isMadeByUpdate: false,
    scale: stored?.subresources.scale,
    selectable: stored?.selectableFields?.map((path) => path.slice(1)),
    definition,
  };
}
