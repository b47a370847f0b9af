import { keyOf, resourceOf, type Kind, type ObjectName } from '@tenantry/runtime/kinds/kind';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { builtinResource, builtinScope, isNonPersisted } from '@tenantry/kube/builtin-kinds';
import { show, type Problem } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';

/** An object of a manifest, and its place in the cluster. */
export interface PlacedObject {
  readonly kind: Kind;
  /** The object, with its namespace if the kind is namespaced. */
  readonly object: KubeObject;
}

/** The kind and the name of an object. */
export interface NamedObject {
  readonly kind: Kind;
  readonly name: ObjectName;
}

/** Returns the kind and the name of an object. */
export function namedOf({ kind, object }: PlacedObject): NamedObject {
  const { name, namespace } = object.metadata;
  return { kind, name: { name, namespace } };
}

/** Formats an object for people: `Deployment shops/shops`. */
export function formatObjectName({ kind, name }: NamedObject): string {
  return `${kind.kind} ${keyOf(name)}`;
}

/** Returns a key that is equal for the same object: `deployments.apps shops/shops`. */
export function identityOf({ kind, name }: NamedObject): string {
  return `${resourceOf(kind)} ${keyOf(name)}`;
}

/** An object of a manifest, and the file that holds it. */
export interface ManifestObject {
  readonly object: KubeObject;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Placing {
  /** The kinds that the cluster defines in addition to those of Kubernetes. */
  readonly known: readonly CustomKind[];
  /** The namespace for namespaced objects without one. */
  readonly namespace: string;
}

/** Objects with their kinds, and the problems of the others. */
interface Placed {
  readonly objects: readonly PlacedObject[];
  readonly problems: readonly Problem[];
}

/**
 * Resolves the kinds of objects: built into Kubernetes, defined by other objects, or known to the
 * cluster. An object that appears twice is a problem.
 */
export function placeObjects(manifests: readonly ManifestObject[], placing: Placing): Placed {
  const own = manifests.flatMap(({ object }) =>
    isDefinition(object) ? [readCustomKind(object)].filter((one) => one !== undefined) : [],
  );
  const custom = [...own, ...placing.known];
  const objects: PlacedObject[] = [];
  const problems: Problem[] = [];
  const firsts = new Map<string, ManifestObject>();
  for (const manifest of manifests) {
    const { object, ...at } = manifest;
    const refuse = (path: string, message: string): void =>
      void problems.push({ ...at, path, message, rule: 'install' });
    const kind = kindOfObject(object, custom);
    if (typeof kind === 'string') {
      refuse('kind', kind);
      continue;
    }
    const placed = { kind, object: inNamespace(object, kind, placing.namespace) };
    const identity = identityOf(namedOf(placed));
    const first = firsts.get(identity);
    if (first) {
      const where = `${first.file}:${first.line}`;
      refuse(
        'metadata.name',
        `must be of one object, got ${formatObjectName(namedOf(placed))} of ${where}`,
      );
      continue;
    }
    firsts.set(identity, manifest);
    objects.push(placed);
  }
  return { objects, problems };
}

/** Whether the kind of an object is not built into Kubernetes. */
export function isCustom({ apiVersion, kind }: KubeObject): boolean {
  return builtinScope(groupOf(apiVersion), kind) === undefined;
}

/** Returns the kind of an object, or the reason why it has none. */
function kindOfObject(object: KubeObject, custom: readonly CustomKind[]): Kind | string {
  const { apiVersion, kind } = object;
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const scope = builtinScope(group, kind);
  if (scope !== undefined) {
    if (isNonPersisted(group, kind))
      return `must be a kind whose objects are kept, got ${show(kind)}`;
    const { resource: plural } = builtinResource(group, kind);
    return { group, version, kind, plural, scope };
  }
  const found = custom.find((one) => one.group === group && one.kind === kind);
  if (!found) {
    return `must be a kind that the cluster or these manifests define, got ${kind} of ${show(apiVersion)}`;
  }
  if (!found.versions.includes(version)) {
    return `must be served as one of ${found.versions.join(', ')}, got ${kind} of ${show(apiVersion)}`;
  }
  return { group, version, kind, plural: found.plural, scope: found.scope };
}

function inNamespace(object: KubeObject, { scope }: Kind, namespace: string): KubeObject {
  const { namespace: ownNamespace, ...metadata } = object.metadata;
  if (scope === 'Cluster') return { ...object, metadata };
  return { ...object, metadata: { ...metadata, namespace: ownNamespace ?? namespace } };
}

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
export function readCustomKind(definition: unknown): CustomKind | undefined {
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
