import type { CacheView } from '../../runtime/controller/caches.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant, TenantClass } from '../cluster/kinds.ts';
import type { HealClient } from './heal-access.ts';
import { isUnchanged } from './preconditions.ts';

/** The cache from which Tenants and their classes are read. */
export type DeclarationCache = CacheView<typeof Tenant | typeof TenantClass>;

type LiveClass = Live<typeof TenantClass>;

/**
 * The declarations on which a healing run is based: a Tenant, its class and the parent classes. The run continues only
 * while they are unchanged, so that an outdated declaration never overwrites a newer one.
 */
export class DeclarationSnapshot {
  readonly #declarations: DeclarationCache;
  readonly #tenant: Live<typeof Tenant>;
  readonly #defaultClass: string;
  readonly #classes: readonly LiveClass[];

  /** @param declarations the cache as it was when the run was decided */
  constructor(tenant: Live<typeof Tenant>, declarations: DeclarationCache, defaultClass: string) {
    this.#tenant = tenant;
    this.#declarations = declarations;
    this.#defaultClass = defaultClass;
    this.#classes = this.#known();
  }

  /** Whether the declarations are unchanged in memory. Checked before each step. */
  isCurrent(): boolean {
    const { name } = this.#tenant.metadata;
    const now = this.#known();
    return (
      isUnchanged(this.#tenant, this.#declarations.get(Tenant, { name })) &&
      now.length === this.#classes.length &&
      now.every((one, i) => isUnchanged(one, this.#classes[i]))
    );
  }

  /** Whether the API server has the same classes: a watch may have been silent for minutes. */
  async hasCurrentClasses(client: HealClient): Promise<boolean> {
    const all = await Promise.all(
      this.#classes.map(async (one) => {
        const fieldSelector = `metadata.name=${one.metadata.name}`;
        const { items } = await client.list(TenantClass, { fieldSelector });
        return isUnchanged(one, items[0]);
      }),
    );
    return all.every(Boolean);
  }

  /** Returns the class of the Tenant and its parent classes, as far as they exist. */
  #known(): readonly LiveClass[] {
    const found: LiveClass[] = [];
    let name: string | undefined = this.#tenant.spec?.className ?? this.#defaultClass;
    while (name !== undefined && !found.some(({ metadata }) => metadata.name === name)) {
      const one: LiveClass | undefined = this.#declarations.get(TenantClass, { name });
      if (!one) break;
      found.push(one);
      name = one.spec?.extends;
    }
    return found;
  }
}
