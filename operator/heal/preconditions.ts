import { APP_OBJECTS } from '../../model/app-objects.ts';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant, TenantClass } from '../cluster/kinds.ts';
import type { HealClient } from './policy.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Platform } from '../../model/declaration.ts';
import { ADOPT_BY_LABEL } from '../../model/ownership.ts';
import { findProtection } from '../../model/protected.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';

/** Whether an object is unchanged: it is the same one, not edited and not being deleted. */
function isUnchanged(one: Live, other: Live | undefined): boolean {
  const [a, b] = [one.metadata, other?.metadata];
  return (
    a.uid === b?.uid &&
    a.generation === b.generation &&
    a.deletionTimestamp === b.deletionTimestamp &&
    a.annotations?.[APP_OBJECTS] === b.annotations?.[APP_OBJECTS]
  );
}

/** Whether the API server has the Tenant for which a run was started: the cache is some milliseconds late. */
export async function isStillCurrent(
  tenant: Live<typeof Tenant>,
  client: HealClient,
): Promise<boolean> {
  const { name } = tenant.metadata;
  return isUnchanged(tenant, await client.get(Tenant, { name }).catch(ifGone));
}

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

/** Whether a tenant's objects may be written in a namespace: its own namespace, or one that it may create or adopt. */
export type NamespaceOwnership =
  'own' | 'absent' | 'adopted' | 'terminating' | { readonly notOurs: string };

/**
 * Classifies a live namespace for a tenant. A namespace with the tenant's label is its own. One without a label can be
 * adopted, by healing alone, if an administrator releases it with the label `tenantry.dev/adopt-by` or the platform
 * lists it in `releasedNamespaces`. Namespaces of the platform or of another tenant cannot be adopted.
 */
export function classifyNamespace(
  name: string,
  live: KubeObject | undefined,
  { tenant, platform, policy }: { tenant: string; platform: Platform; policy: DriftPolicy },
): NamespaceOwnership {
  const protector = findProtection(platform, name);
  if (protector) return { notOurs: `it is protected (${protector.pattern})` };
  if (!live) return 'absent';
  const { labels = {}, deletionTimestamp } = live.metadata as KubeObject['metadata'] & {
    readonly deletionTimestamp?: string;
  };
  if (deletionTimestamp !== undefined) return 'terminating';
  const [owner, adopter] = [labels[TENANT_LABEL], labels[ADOPT_BY_LABEL]];
  if (owner === tenant) return 'own';
  if (owner !== undefined) return { notOurs: `its label names tenant ${owner}` };
  const isReleased = adopter === tenant || platform.releasedNamespaces.includes(name);
  if (!isReleased) {
    return {
      notOurs: `it exists, has no label ${ADOPT_BY_LABEL}: ${tenant}, and is none of releasedNamespaces`,
    };
  }
  return policy === 'Heal'
    ? 'adopted'
    : { notOurs: `${policy} adopts no namespaces; only Heal does` };
}

/**
 * Reads from the API server the live quotas that may hold parts of a tenant's totals. These are quotas with its label,
 * and quotas of declared names whose label was removed. Only quotas in its own namespaces and in declared namespaces
 * without an owner count. Anyone who may write elsewhere can set any label there, and must not block healing with it.
 */
export async function listTotalQuotas(
  { tenant, namespaces, objects: declared }: DeclaredState,
  objects: TenantObjects,
  client: HealClient,
): Promise<readonly KubeObject[]> {
  const isOwn = (namespace: string): boolean => {
    const owner = objects.tenantOf(namespace);
    return owner === tenant || (owner === undefined && namespaces.includes(namespace));
  };
  const labelled = (await listLabelledQuotas(tenant, client)).filter((one) =>
    isOwn(one.metadata.namespace!),
  );
  const found = new Set(labelled.map(identityOf));
  const quotas = declared.filter(({ kind }) => kind === 'ResourceQuota');
  const names = new Set(quotas.map(({ metadata }) => metadata.name));
  const owned = new Set([...objects.namespacesOf(tenant), ...namespaces.filter(isOwn)]);
  const stripped = [...owned]
    .flatMap((namespace) => objects.quotas(namespace))
    .filter(({ metadata }) => names.has(metadata.name))
    .map(({ metadata }) => metadata)
    .filter((metadata) => !found.has(identityOf(asQuota({ metadata }))));
  const read = await Promise.all(
    stripped.map((metadata) => client.get(ResourceQuota, metadata).catch(ifGone)),
  );
  return [...labelled, ...read.flatMap((one) => (one ? [asQuota(one)] : []))];
}

async function listLabelledQuotas(tenant: string, client: HealClient): Promise<KubeObject[]> {
  const labelSelector = `${TENANT_LABEL}=${tenant}`;
  const found: KubeObject[] = [];
  let page: string | undefined;
  do {
    const list = await client.list(ResourceQuota, { labelSelector, continue: page });
    found.push(...list.items.map(asQuota));
    page = list.continue;
  } while (page !== undefined);
  return found;
}

/** Sets the kind, which items of a list omit. */
function asQuota(one: Pick<Live, 'metadata'>): KubeObject {
  return { ...one, apiVersion: 'v1', kind: 'ResourceQuota' } as KubeObject;
}
