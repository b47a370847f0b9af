import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { InvalidOutput } from '../refusal/invalid-output.ts';

/** The cluster that a file belongs to: `clusters/<cluster>/...`, and '' for every other path. */
export function clusterOf(path: string): string {
  const [folder, cluster, ...rest] = path.split('/', 3);
  return folder === 'clusters' && rest.length > 0 ? cluster! : '';
}

/**
 * Ensures that an object is declared once: (cluster, group, kind, namespace, name) is unique in an
 * output. The version does not matter: apps/v1 and apps/v1beta1 of a Deployment are the same object
 * for the API server. An object without a namespace differs from one in the namespace `default`,
 * since a manifest does not show whether its kind is namespaced.
 *
 * Problems are collected, each with the owners: construct paths, or files.
 */
export class Identities {
  /**
   * The first owner by cluster, group, kind, then `namespace/name`. Only the last key is built as a
   * string.
   */
  readonly #owners = new Map<string, Map<string, Map<string, Map<string, string>>>>();
  readonly #problems: string[] = [];

  /** @param object an object that `validateDocument` accepts */
  add(cluster: string, { apiVersion, kind, metadata }: KubeObject, owner: string): void {
    const group = groupOf(apiVersion);
    const { namespace, name } = metadata;
    const owners = child(child(child(this.#owners, cluster), group), kind);
    const key = namespace ? `${namespace}/${name}` : name;
    const known = owners.get(key);
    if (known === undefined) owners.set(key, owner);
    else this.#problems.push(clash({ cluster, group, kind, key }, known, owner));
  }

  get problems(): string[] {
    return [...this.#problems];
  }

  /** Throws InvalidOutput when there is a problem. */
  check(): void {
    if (this.#problems.length > 0) throw new InvalidOutput(this.#problems);
  }
}

/** Returns the map under a key, and creates it if it is missing. */
function child<K, V>(map: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let inner = map.get(key);
  if (inner === undefined) map.set(key, (inner = new Map()));
  return inner;
}

function clash(
  { cluster, group, kind, key }: { cluster: string; group: string; kind: string; key: string },
  first: string,
  second: string,
): string {
  const full = group === '' ? kind : `${kind}.${group}`;
  const where = cluster === '' ? '' : ` of cluster ${cluster}`;
  const who = first === second ? `twice by [${first}]` : `by [${first}] and by [${second}]`;
  return `${full} ${key}${where} must be declared once, got it ${who}`;
}
