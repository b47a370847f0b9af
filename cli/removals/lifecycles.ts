import { namespaceName } from '../../model/name-claims.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { PlacedHolder } from '../../synth/manifests/manifests.ts';
import type { Base } from '../git/base.ts';
import { readHolders, type FoundHolder } from '../git/base-holders.ts';

/** The lifecycles of tenants and their namespaces, as declared in a base. */
export class Lifecycles {
  readonly #tenants = new Map<string, TenantLifecycle>();

  constructor(tenants: readonly FoundHolder[]) {
    for (const { cluster, name, object } of tenants) {
      const life = lifeOf(object);
      this.#tenants.set(`${cluster}/${name}`, life);
      if (!this.#tenants.has(name)) this.#tenants.set(name, life);
    }
  }

  /**
   * @param known objects of the base that were read already; no others are read if they include
   * every Tenant needed
   */
  static load(base: Base, known: readonly FoundHolder[]): Lifecycles {
    const tenants = known.filter(({ kind }) => kind === 'Tenant');
    const names = new Set(tenants.map(({ name }) => name));
    const enough = known.every(({ tenant }) => tenant === '' || names.has(tenant));
    const all = enough ? tenants : readHolders(base, base.files).holders;
    return new Lifecycles(all.filter(({ kind }) => kind === 'Tenant'));
  }

  /**
   * Whether a tenant or a namespace is Retired. A tenant is Retired with the last of its named
   * namespaces.
   */
  isRetired(one: PlacedHolder): boolean {
    const life = this.#lifeOf(one);
    if (life === undefined || life.tenant === 'Retired') return life !== undefined;
    if (one.kind === 'Namespace') return life.namespaces.get(one.name) === 'Retired';
    return life.namespaces.size > 0 && life.namespaces.values().every((word) => word === 'Retired');
  }

  /** Returns the lifecycle, such as `Active`, or a text for a tenant without one. */
  describe(one: PlacedHolder): string {
    return this.#lifeOf(one)?.tenant ?? 'no Tenant with a lifecycle';
  }

  #lifeOf({ cluster, kind, name, tenant }: PlacedHolder): TenantLifecycle | undefined {
    const whose = kind === 'Tenant' ? name : tenant;
    return this.#tenants.get(`${cluster}/${whose}`) ?? this.#tenants.get(whose);
  }
}

interface TenantLifecycle {
  readonly tenant: string;
  /** By the name of the namespace. */
  readonly namespaces: ReadonlyMap<string, string>;
}

/** Reads field by field, since another version with another schema may have rendered the base. */
function lifeOf(object: KubeObject): TenantLifecycle {
  const { lifecycle, namespacePrefix, namespaces } = fieldsOf(object['spec']);
  const prefix = textOf(namespacePrefix) ?? '';
  const entries = Array.isArray(namespaces) ? namespaces.filter(isMapping) : [];
  return {
    tenant: textOf(lifecycle) ?? 'Active',
    namespaces: new Map(
      entries.map((entry) => {
        const name = namespaceName(prefix, { name: textOf(entry['name']) ?? '' });
        return [name, textOf(entry['lifecycle']) ?? 'Active'];
      }),
    ),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isMapping(value) ? value : {});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
