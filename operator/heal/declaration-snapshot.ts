import type { CacheView } from '../../runtime/controller/caches.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant, TenantClass } from '../cluster/kinds.ts';
import type { HealClient } from './heal-access.ts';
import { isUnchanged } from './preconditions.ts';

/** Where Tenants and their classes are known from. */
export type DeclarationCache = CacheView<typeof Tenant | typeof TenantClass>;

type LiveClass = Live<typeof TenantClass>;

/**
 * What a turn of healing was decided by: a Tenant, and its class with those that it extends. It goes on only while
 * they are the same: what was declared a while ago is not written over what is declared now.
 */
export class DeclarationSnapshot {
  readonly #declarations: DeclarationCache;
  readonly #tenant: Live<typeof Tenant>;
  readonly #defaultClass: string;
  readonly #classes: readonly LiveClass[];

  /** @param declarations as they were when it was decided: from memory */
  constructor(tenant: Live<typeof Tenant>, declarations: DeclarationCache, defaultClass: string) {
    this.#tenant = tenant;
    this.#declarations = declarations;
    this.#defaultClass = defaultClass;
    this.#classes = this.#known();
  }

  /** As far as memory knows, which is asked before each step. */
  isCurrent(): boolean {
    const { name } = this.#tenant.metadata;
    const now = this.#known();
    return (
      isUnchanged(this.#tenant, this.#declarations.get(Tenant, { name })) &&
      now.length === this.#classes.length &&
      now.every((one, i) => isUnchanged(one, this.#classes[i]))
    );
  }

  /** Whether the API server has the classes like this as well: a watch may have been silent for minutes. */
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

  /** The class of the Tenant, the one that it extends, and so on, as far as they are there. */
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
