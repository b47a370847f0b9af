import { omitUndefined } from '@tenantry/kube/mapping';
import { extractDeclaredMetadata } from '../../model/declared-objects.ts';
import type {
  TenantDeclaration,
  Platform,
  TenantClassDeclaration,
} from '../../model/declaration.ts';
import { formatDate } from '../../model/end-dates.ts';
import { buildClaim, namespaceName } from '../../model/name-claims.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Tenant, TenantClass } from '../cluster/kinds.ts';
import { pickStricterLifecycle } from '../../model/layers/resolved.ts';
import type { Lifecycle, TenantClassSpec } from '../../crds/types.ts';
import { Fleet } from '../../model/fleet.ts';

type LiveTenant = Live<typeof Tenant>;

/**
 * Returns the declaration in a Tenant of the cluster, without the metadata that the cluster and its field managers
 * keep.
 */
export function toDeclaration({ metadata, spec = {} }: LiveTenant): TenantDeclaration {
  return { name: metadata.name, ...extractDeclaredMetadata(metadata), spec };
}

/** Returns the namespaces that a Tenant claims, as an index of the cache. */
export function listClaimedNamespaces(tenant: LiveTenant): readonly string[] {
  return buildClaim(toDeclaration(tenant)).namespaces;
}

/**
 * Returns which of several Tenants owns a namespace that they claim. It is the one whose label the namespace carries,
 * so that nobody can take over another tenant's namespace by naming it. Without such a label it is the oldest Tenant.
 * @param label the value of the namespace's label, if it has one
 */
export function resolveClaimant(
  claimants: readonly LiveTenant[],
  label: string | undefined,
): LiveTenant | undefined {
  return claimants.find(({ metadata }) => metadata.name === label) ?? claimants.toSorted(byAge)[0];
}

function byAge({ metadata: a }: LiveTenant, { metadata: b }: LiveTenant): number {
  if (a.creationTimestamp !== b.creationTimestamp) {
    return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  }
  return a.name < b.name ? -1 : 1;
}

/**
 * Returns the lifecycle of a tenant's namespace. A namespace that it no longer names has the lifecycle of the tenant.
 */
export function findLifecycle({ spec = {} }: Live<typeof Tenant>, namespace: string): Lifecycle {
  const entry = spec.namespaces?.find(
    (one) => namespaceName(spec.namespacePrefix, one) === namespace,
  );
  return pickStricterLifecycle(spec.lifecycle, entry?.lifecycle);
}

type LiveClass = Live<typeof TenantClass>;

/** A tenant, and the day that decides what has ended. */
interface DatedTenant {
  /** @default - only the classes are needed */
  readonly tenant?: LiveTenant;
  readonly now: Date;
}

/**
 * The classes of a cluster, compiled for tenants. They are compiled again only when one has changed, or when the day has
 * changed for a tenant with an end date.
 */
export class KnownClasses {
  readonly #platform: Platform;
  #version: string | undefined;
  #fleet: Fleet;
  /** The fleet of a later day. */
  #later: Fleet | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#fleet = new Fleet(platform);
  }

  /** Changes with every change of a class. */
  get version(): string {
    return this.#version ?? '';
  }

  /**
   * Returns the fleet for these classes. A problem of a class is reported to the tenants that choose it. Tenants without
   * an end date get the same fleet on every day.
   */
  buildFleet(classes: readonly LiveClass[], { tenant, now }: DatedTenant): Fleet {
    const sorted = classes.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const version = sorted
      .map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`)
      .join('\n');
    const date = formatDate(now);
    if (version !== this.#version) {
      this.#fleet = this.#compile(sorted, date);
      this.#later = undefined;
      this.#version = version;
    }
    if (this.#fleet.platform.date === date) return this.#fleet;
    if (!tenant || this.#fleet.endings(toDeclaration(tenant)).length === 0) return this.#fleet;
    if (this.#later?.platform.date !== date) this.#later = this.#compile(sorted, date);
    return this.#later;
  }

  #compile(sorted: readonly LiveClass[], date: string): Fleet {
    const fleet = new Fleet({ ...this.#platform, date });
    for (const klass of sorted) fleet.classes.add(toClassDeclaration(klass));
    for (const klass of sorted) fleet.classes.check(klass.metadata.name);
    return fleet;
  }
}

function toClassDeclaration({ metadata, spec = {} }: LiveClass): TenantClassDeclaration {
  const { name, labels, annotations } = metadata;
  return omitUndefined({
    name,
    labels,
    annotations,
    // Defaults of parameters are JSON, which a type can express only for mutable values.
    spec: spec as TenantClassSpec,
  });
}
