import type { Finding } from '@tenantry/kube/finding';
import type { DriftPolicy } from '../../crds/types.ts';
import type { PressureEntry } from '../../crds/tenant-status.ts';
import type { TenantDrift } from '../drift/tenant-drift.ts';
import type { HealingResult } from '../heal/healer.ts';
import type { Problem } from '../heal/problem.ts';

/** A namespace that belongs to another Tenant. */
export interface TakenNamespace {
  readonly namespace: string;
  readonly tenant: string;
}

/** A namespace that is being deleted. */
export interface TerminatingNamespace {
  readonly name: string;
  /** What it waits for, as far as its conditions reveal it. */
  readonly waitsFor?: string | undefined;
}

/** A tenant that is being deleted and still exists. */
export interface DeletingTenant {
  /** Why the operator keeps it. */
  readonly problems: readonly Problem[];
  /** The finalizers of others that keep it; none while the operator keeps it. */
  readonly finalizers: readonly string[];
  /** Whether the deletion takes longer than usual. */
  readonly isLong: boolean;
}

/** Why the state of a tenant is not known. */
export interface UnknownTenant {
  readonly reason: 'NotObserved' | 'NotCompared';
  readonly message: string;
}

/** What the operator observed of a tenant at one moment. */
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
  /** `declaredDigest` of its declared objects. */
  readonly declaredDigest: string;
  /** Declared namespaces that are being deleted. */
  readonly terminating: readonly TerminatingNamespace[];
  /** Kinds that cannot be listed or watched, a sentence each. */
  readonly unobserved: readonly string[];
  readonly pressure: readonly PressureEntry[];
  readonly policy: DriftPolicy;
  /** The policy that the tenant requests. If it exceeds `policy`, the platform does not allow it. */
  readonly requested: DriftPolicy;
}
