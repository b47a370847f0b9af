import { isMapping } from '../../kube/mapping.ts';
import type { Kind } from '../../runtime/kinds/kind.ts';

/** The kind and the versions that a CustomResourceDefinition serves. */
export interface CustomKind extends Pick<Kind, 'group' | 'kind' | 'plural' | 'scope'> {
  /** The served versions. */
  readonly versions: readonly string[];
}

/** The built-in kind that defines other kinds. */
export const DEFINITION = 'CustomResourceDefinition';

/** Whether an object is one. */
export function isDefinition(object: unknown): boolean {
  return (
    isMapping(object) &&
    object['kind'] === DEFINITION &&
    object['apiVersion'] === 'apiextensions.k8s.io/v1'
  );
}

/** Returns what a definition serves; undefined if it is incomplete. */
export function customKindOf(definition: unknown): CustomKind | undefined {
  const spec = isMapping(definition) ? definition['spec'] : undefined;
  if (!isMapping(spec)) return undefined;
  const { group, names, scope, versions } = spec;
  const { kind, plural } = isMapping(names) ? names : {};
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') {
    return undefined;
  }
  const served = (Array.isArray(versions) ? versions : []).flatMap((one: unknown) =>
    isMapping(one) && one['served'] === true && typeof one['name'] === 'string'
      ? [one['name']]
      : [],
  );
  const where = scope === 'Cluster' ? 'Cluster' : 'Namespaced';
  return { group, kind, plural, scope: where, versions: served };
}

/** Returns a kind for listing the objects; undefined if no version is served. */
export function servedKind({ versions, ...kind }: CustomKind): Kind | undefined {
  const [version] = versions;
  return version === undefined ? undefined : { ...kind, version };
}
