import { groupOf } from '../crds/object.ts';
import type { KubeObject } from '../crds/object.ts';
import { isMapping } from '../crds/value/kinds.ts';
import { InvalidOutput } from './invalid-output.ts';

/** The cluster that a file belongs to: `clusters/<cluster>/...`, and '' for every other path. */
export function clusterOf(path: string): string {
  const [folder, cluster, ...rest] = path.split('/', 3);
  return folder === 'clusters' && rest.length > 0 ? cluster! : '';
}

/**
 * Holds that an object is declared once: (cluster, group, kind, namespace, name) is unique in an
 * output. The version is no part of it: apps/v1 and apps/v1beta1 of a Deployment are one object to the
 * API server. An object without a namespace is a different one from that of the namespace `default`,
 * since a manifest alone does not say whether its kind has namespaces.
 *
 * Problems are collected, each with the owners: construct paths, or files.
 */
export class Identities {
  /** By cluster, group, kind, then `namespace/name`: the first owner. Only the last key is made. */
  readonly #owners = new Map<string, Map<string, Map<string, Map<string, string>>>>();
  readonly #problems: string[] = [];

  /** A list (kind `List`, or a kind that ends so with `items`) stands for its items. */
  add(cluster: string, object: KubeObject, owner: string): void {
    this.#add(cluster, object, owner, undefined);
  }

  get problems(): string[] {
    return [...this.#problems];
  }

  /** Throws InvalidOutput when there is a problem. */
  check(): void {
    if (this.#problems.length > 0) throw new InvalidOutput(this.#problems);
  }

  #add(cluster: string, object: unknown, owner: string, list: List | undefined): void {
    if (!isMapping(object)) {
      this.#problems.push(
        `[${owner}] must hold objects, got ${JSON.stringify(object) ?? String(object)}`,
      );
      return;
    }
    // the items of a typed list may leave out what the list says
    const apiVersion = object['apiVersion'] ?? list?.itemVersion;
    const kind = object['kind'] ?? list?.itemKind;
    if (!isText(apiVersion) || !isText(kind)) {
      this.#missing(
        owner,
        isText(apiVersion) ? 'kind' : 'apiVersion',
        isText(apiVersion) ? kind : apiVersion,
      );
    } else if (kind === 'List' || (kind.endsWith('List') && Array.isArray(object['items']))) {
      const items: readonly unknown[] = Array.isArray(object['items']) ? object['items'] : [];
      const typed =
        kind === 'List' ? undefined : { itemVersion: apiVersion, itemKind: kind.slice(0, -4) };
      for (const item of items) this.#add(cluster, item, owner, typed);
    } else {
      this.#identify(cluster, groupOf(apiVersion), kind, object['metadata'], owner);
    }
  }

  #identify(cluster: string, group: string, kind: string, metadata: unknown, owner: string): void {
    const { name, namespace, generateName } = isMapping(metadata) ? metadata : {};
    if (!isText(name)) {
      if (isText(generateName)) {
        this.#problems.push(
          `[${owner}] ${kind} must have a metadata.name, got the generateName '${generateName}', which is another object each time`,
        );
      } else {
        this.#missing(owner, 'metadata.name', name);
      }
      return;
    }
    const owners = child(child(child(this.#owners, cluster), group), kind);
    const key = isText(namespace) ? `${namespace}/${name}` : name;
    const known = owners.get(key);
    if (known === undefined) owners.set(key, owner);
    else this.#problems.push(clash({ cluster, group, kind, key }, known, owner));
  }

  #missing(owner: string, field: string, value: unknown): void {
    const got = value === undefined || value === null ? 'none' : JSON.stringify(value);
    this.#problems.push(`[${owner}] must declare ${field}, got ${got}`);
  }
}

/** The map under a key; made when it is not there. */
function child<K, V>(map: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let inner = map.get(key);
  if (inner === undefined) map.set(key, (inner = new Map()));
  return inner;
}

interface List {
  readonly itemVersion: string;
  readonly itemKind: string;
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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
