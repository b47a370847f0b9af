import { isMapping } from '../../kube/mapping.ts';
import type { Kind } from '../../runtime/kinds/kind.ts';

/** What a CustomResourceDefinition serves. */
export interface CustomKind extends Pick<Kind, 'group' | 'kind' | 'plural' | 'scope'> {
  /** Those that are served. */
  readonly versions: readonly string[];
}

/** The name of a kind of Kubernetes' own by which others are made known. */
export const DEFINITION = 'CustomResourceDefinition';

/** Whether an object is one. */
export function isDefinition(object: unknown): boolean {
  return (
    isMapping(object) &&
    object['kind'] === DEFINITION &&
    object['apiVersion'] === 'apiextensions.k8s.io/v1'
  );
}

/** What a definition serves; undefined where it does not say. */
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

/** A kind by which its objects can be listed; undefined where nothing of it is served. */
export function servedKind({ versions, ...kind }: CustomKind): Kind | undefined {
  const [version] = versions;
  return version === undefined ? undefined : { ...kind, version };
}
