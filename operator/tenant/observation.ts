import type { Finding } from '../../kube/finding.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { PressureEntry } from '../../crds/tenantry/tenant-status.ts';
import type { TenantDrift } from '../drift/tenant-drift.ts';
import type { HealingResult } from '../heal/healer.ts';
import type { Problem } from '../heal/problem.ts';

/** A namespace that another Tenant has. */
export interface TakenNamespace {
  readonly namespace: string;
  readonly tenant: string;
}

/** A namespace that is being deleted. */
export interface TerminatingNamespace {
  readonly name: string;
  /** For what, as far as it says that. */
  readonly waitsFor?: string | undefined;
}

/** A tenant that is being deleted, and not gone. */
export interface DeletingTenant {
  /** Why the operator keeps it. */
  readonly problems: readonly Problem[];
  /** By what others keep it; none while the operator does. */
  readonly finalizers: readonly string[];
  /** Whether that takes longer than a deletion does. */
  readonly isLong: boolean;
}

/** Why it is not known how a tenant stands. */
export interface UnknownTenant {
  readonly reason: 'NotObserved' | 'NotCompared';
  readonly message: string;
}

/** What the operator knows of a tenant at one moment. */
export type Observation =
  | { readonly type: 'cordoned' }
  | ({ readonly type: 'unknown' } & UnknownTenant)
  | ({ readonly type: 'leaving' } & DeletingTenant)
  | { readonly type: 'refused'; readonly findings: readonly Finding[] }
  | { readonly type: 'taken'; readonly taken: readonly TakenNamespace[] }
  | ({ readonly type: 'compared' } & ComparedTenant);

/** A tenant that was compared. */
export interface ComparedTenant extends TenantDrift, HealingResult {
  readonly namespaces: number;
  readonly objects: number;
  /** `declaredDigest` of them. */
  readonly declaredDigest: string;
  /** Namespaces that are being deleted, though they are declared. */
  readonly terminating: readonly TerminatingNamespace[];
  /** Kinds that cannot be listed or watched, a sentence each. */
  readonly unobserved: readonly string[];
  readonly pressure: readonly PressureEntry[];
  readonly policy: DriftPolicy;
  /** What the tenant asks for; where that is more than `policy`, the platform allows no more. */
  readonly asked: DriftPolicy;
}
