import type { Finding } from '@tenantry/kube/finding';
import type { DriftPolicy } from '../../crds/types.ts';
import type { PressureEntry } from '../../crds/tenant-status.ts';
import type { TenantDrift } from '../drift/tenant-drift.ts';
import type { HealingResult } from '../heal/healer.ts';
import type { Problem } from '../heal/attempts.ts';

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
  /** What the declaration still names although it has ended, a sentence each. @default - nothing */
  readonly ended?: readonly string[];
  /** What is good to know although it is no fault, a sentence each. @default - nothing */
  readonly notices?: readonly string[];
  readonly policy: DriftPolicy;
  /** The policy that the tenant requests. If it exceeds `policy`, the platform does not allow it. */
  readonly requested: DriftPolicy;
}

/** All reasons of the conditions of a Tenant, with their meaning (docs/operator.md contains the same table). */
export const reasons = {
  AsDeclared: 'Everything is as declared.',
  Drifted: 'Something differs from the declaration; see `status.drift`.',
  UndeclaredAccess:
    'Somebody granted access by hand that the tenant’s users may not grant; see `status.undeclared`.',
  Undeclared:
    'Somebody created an object by hand that grants no such access; see `status.undeclared`.',
  NotObserved:
    'A kind cannot be listed or watched, or an object cannot be read, so its state is not known; see the message.',
  NotRead:
    'Declared objects cannot be compared: their kind is not on the cluster, the operator may not read it, or they are nested too deep.',
  NotCompared:
    'The tenant could not be compared; see the message. The rest of the status is the last known state.',
  RollingOut:
    'The declaration changed a short while ago, and the cluster still matches the earlier one.',
  Refused:
    'The Tenant breaks a rule, or its class cannot be used, so nothing is compared; see the message.',
  NamespaceTaken: 'Another Tenant has a namespace that this one names, so nothing is compared.',
  NotDeclaredHere: 'None of its namespaces is for this cluster.',
  NamespaceTerminating: 'A namespace is being deleted, and waits for something.',
  Leaving: 'The Tenant is being deleted, and the operator still runs its finalizer tasks.',
  FinalizersRemain:
    'The Tenant is being deleted, and finalizers of others keep it; the message names them.',
  HealRefused:
    'The API server refuses to heal an object; the message contains its error. The operator retries with backoff.',
  MayNotBind:
    'A class allows a ClusterRole that the operator’s role does not name yet: render and apply the operator again.',
  ChangedOnWrite:
    'Something, such as a webhook, changes what the operator writes. The operator does not write it again.',
  Fought:
    'Somebody repeatedly reverts what the operator heals; the operator leaves the object alone for a while.',
  NamespaceNotOurs:
    'A namespace that it names exists and does not belong to the tenant, so nothing is written in it.',
  QuotaWaits:
    'A quota is raised once others are lowered, or once the namespace that holds its part of the total is gone.',
  AccessRemains:
    'A role binding made by hand gives access in a Suspended or Retired namespace, and `driftPolicy` is not `Heal`; the message names the binding and the subjects.',
  Cordoned: 'The Tenant is cordoned: the operator leaves it alone.',
} as const;

/** One of the `reasons`. */
export type Reason = keyof typeof reasons;
