import type { Definition } from '../../../crds/definition.ts';
import type { ScaleSubresource } from '../../../crds/custom-resource-definition.ts';
import type { Scope } from '../../../kube/builtin-kinds.ts';
import type { Fields } from './stored.ts';

/** What the server does with objects of a kind. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** By their names. */
  readonly versions: readonly string[];
  /** The status is written by itself, and left as it is by other writes. */
  readonly hasStatus: boolean;
  /** Changes of what is not metadata and not status are counted. */
  readonly hasGeneration: boolean;
  /** An update need not say which state it replaces. */
  readonly isUpdatedBlindly: boolean;
  /** An update makes what is not there. */
  readonly isMadeByUpdate: boolean;
  readonly scale?: ScaleSubresource | undefined;
  /** Of a custom resource. */
  readonly definition?: Definition | undefined;
  /** Fills in what is not said, of Kubernetes' own kinds. */
  readonly defaults?: ((object: Fields) => Fields) | undefined;
  /** The first status of an object, where there is one. */
  readonly firstStatus?: Fields | undefined;
  /** Fields that field selectors may name, besides name and namespace: `spec.nodeName`. */
  readonly selectable?: readonly string[] | undefined;
  /** Paths of what cannot be changed any more, as dots. */
  readonly fixed?: readonly string[] | undefined;
}

/** A kind of one's own. @throws {Error} for versions that a webhook converts */
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
