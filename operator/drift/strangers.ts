import { MOST_LISTED } from '../../crds/tenantry/tenantstatus.ts';
import { TENANT_LABEL } from '../../kube/holder.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { KeptLive, TenantObjects } from '../cluster/tenantobjects.ts';
import { isDecidingAnnotation, isDecidingLabel, type TrustingPlatform } from './decidingkeys.ts';
import { byAge, identityOf } from './expected.ts';
import type { ReadLive } from './following.ts';
import { fieldText, objectOf, undeclared, undeclaredKey, type Drift } from './objectdrift.ts';

/** What nobody declared: an object, or a key of a Namespace. */
export type Stranger = Omit<Drift, 'type'>;

/** What a tenant should be on a cluster. */
interface Declared {
  readonly tenant: string;
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
}

/** A label or an annotation that nobody declared. */
interface Key {
  readonly namespace: KeptLive;
  readonly path: readonly ['metadata', 'labels' | 'annotations', string];
}

/** Keys that are listed while there are as many objects. */
const KEYS_FIRST = MOST_LISTED / 2;

/**
 * Finds what nobody declared in the namespaces of tenants: role bindings and network policies, and keys of the
 * Namespaces that decide something. From memory; of as many as a status lists the API server is asked whose hand
 * it was, once for each state of an object.
 */
export class Strangers {
  readonly #platform: TrustingPlatform;
  readonly #objects = new WeakMap<KeptLive, Stranger>();
  readonly #keys = new WeakMap<KeptLive, ReadonlyMap<string, Stranger>>();

  constructor(platform: TrustingPlatform) {
    this.#platform = platform;
  }

  /** Neither objects nor keys push all of the others out of what a status lists. */
  async of(
    declared: Declared,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly Stranger[]> {
    const [keys, strangers] = await Promise.all([
      this.#keysIn(declared, objects, read),
      this.#objectsIn(declared, objects, read),
    ]);
    return [...keys.slice(0, KEYS_FIRST), ...strangers, ...keys.slice(KEYS_FIRST)];
  }

  async #objectsIn(
    { tenant, namespaces, objects: wanted }: Declared,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly Stranger[]> {
    const keys = new Set(wanted.map(identityOf));
    const foreign = namespaces
      .flatMap((namespace) => objects.bounds(namespace))
      .filter(({ metadata }) => metadata.labels?.[TENANT_LABEL] !== tenant)
      .filter((live) => !keys.has(identityOf(live as KubeObject)));
    const found = await Promise.all(
      foreign.toSorted(byAge).map(async (live, index) => {
        if (index >= MOST_LISTED) return [objectOf(live as KubeObject)];
        const known = this.#objects.get(live);
        if (known) return [known];
        const now = await read(live as KubeObject);
        if (!now) return [];
        const stranger = undeclared(now);
        this.#objects.set(live, stranger);
        return [stranger];
      }),
    );
    return found.flat();
  }

  async #keysIn(
    { objects: wanted }: Declared,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly Stranger[]> {
    const keys = wanted
      .filter(({ kind }) => kind === 'Namespace')
      .flatMap((declared) => {
        const namespace = objects.find(declared);
        return namespace ? keysOf(declared, namespace, this.#platform) : [];
      });
    const found: Stranger[] = [];
    for (const [index, { namespace, path }] of keys.entries()) {
      const isListed = index < MOST_LISTED;
      const told = isListed ? await this.#told(namespace, keys, read) : undefined;
      const stranger = isListed
        ? told?.get(fieldText(path))
        : { ...objectOf(namespace as KubeObject), field: fieldText(path) };
      if (stranger) found.push(stranger);
    }
    return found;
  }

  /** What is said of the keys of a Namespace, by their fields. */
  async #told(
    namespace: KeptLive,
    keys: readonly Key[],
    read: ReadLive,
  ): Promise<ReadonlyMap<string, Stranger>> {
    const own = keys.filter((one) => one.namespace === namespace);
    const known = this.#keys.get(namespace);
    if (known && own.every(({ path }) => known.has(fieldText(path)))) return known;
    const now = await read(namespace as KubeObject);
    const told = new Map(now ? own.flatMap(({ path }) => toldOf(now, path)) : []);
    this.#keys.set(namespace, told);
    return told;
  }
}

function toldOf(now: Live, path: Key['path']): readonly (readonly [string, Stranger])[] {
  const [, field, key] = path;
  const value = now.metadata[field]?.[key];
  return value === undefined ? [] : [[fieldText(path), undeclaredKey(now, path, value)]];
}

/** Those of a live Namespace that are not declared, and by which something is decided. */
function keysOf(declared: KubeObject, namespace: KeptLive, platform: TrustingPlatform): Key[] {
  const own = (field: 'labels' | 'annotations') =>
    Object.entries(namespace.metadata[field] ?? {})
      .filter(([key]) => !Object.hasOwn(declared.metadata[field] ?? {}, key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const labels = own('labels').filter(([key, value]) => isDecidingLabel(platform, key, value));
  const annotations = own('annotations').filter(([key]) => isDecidingAnnotation(key));
  return [
    ...labels.map(([key]): Key => ({ namespace, path: ['metadata', 'labels', key] })),
    ...annotations.map(([key]): Key => ({ namespace, path: ['metadata', 'annotations', key] })),
  ];
}
