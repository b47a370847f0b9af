import type { TenantFinding } from '../findings/tenant-finding.ts';
import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { Lifecycle } from '../../crds/settings.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { NetworkSettings } from '../../crds/network.ts';
import type { LimitItem, ScopedQuota } from '../../crds/quota.ts';
import type { DisruptionBudget, ServiceAccountSettings } from '../../crds/workload.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { SyncWindow } from '../../crds/tenant-argocd.ts';
import type { Origins } from '../origins.ts';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from '../declaration.ts';
import type { Origin } from '../resource-presets/preset-objects.ts';
import type { ResolvedArgoCD, LayeredValue } from './argocd.ts';
import type { BreakGlassEntry } from './break-glass.ts';
import type { Grant, RoleDeclaration } from './grants.ts';

/** One namespace on one cluster, with all of its settings. */
export interface ResolvedNamespace {
  readonly name: string;
  readonly cluster: string;
  readonly environment?: string;
  readonly lifecycle: Lifecycle;
  /** What the operator does about drift of the tenant, limited to what the platform allows. */
  readonly driftPolicy: DriftPolicy;
  readonly settings: MergedSettings;
  /** Findings about what could not be filled in. */
  readonly unfilled: readonly PlaceholderFinding[];
  /** The class, with its exceptions for the namespace applied. */
  readonly klass: TenantClassDeclaration;
  /** The place of the namespace in the Tenant. */
  readonly path: Path;
  /** The places of the raised amounts of the quota, by key. */
  readonly raised?: ReadonlyMap<string, Path>;
  /** Where the values of `settings` are declared; present only from `traceTenant`. */
  readonly origins?: Origins;
}

/** A Tenant with class and platform applied. */
export interface ResolvedTenant {
  readonly declaration: TenantDeclaration;
  /** The class, with its exceptions for the tenant as a whole applied. */
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  /** The namespaces: by cluster in the platform's order, then in the Tenant's order. */
  readonly namespaces: readonly ResolvedNamespace[];
  readonly argocd: ResolvedArgoCD;
  /** Findings of the merge: unknown presets, unknown clusters, a total that cannot be divided. */
  readonly findings: readonly Finding[];
}

/** A finding about a setting in which a placeholder could not be filled in; its path is that of the setting. */
export type PlaceholderFinding = TenantFinding<'placeholder' | 'placeholder-misspelt'> & {
  /** Whether the namespace lacks an environment, so that the text itself is not wrong. */
  readonly lacksEnvironment: boolean;
};

export interface Quota {
  readonly name: string;
  readonly hard: Readonly<Record<string, string | number>>;
  readonly scoped: readonly ScopedQuota[];
  /** Keys that a layer explicitly leaves unbounded. */
  readonly unlimited: readonly string[];
}

export interface Limits {
  readonly name: string;
  readonly items: readonly LimitItem[];
}

type DefaultedField = 'isolation' | 'ingressControllers' | 'monitoring' | 'egress';

/** The network settings, with built-in values where no layer sets one, so that nothing is open by omission. */
export interface Network
  extends
    Omit<NetworkSettings, 'preset' | 'policyNames' | DefaultedField>,
    Required<Pick<NetworkSettings, DefaultedField>> {
  readonly policyNames: Required<NonNullable<NetworkSettings['policyNames']>>;
}

/** An object of `resources`. */
export interface ExtraResource {
  readonly manifest: KubeObject;
  /**
   * The place in the Tenant: the manifest, or the entry that uses a preset. For objects from a class: the class name.
   */
  readonly path: Path;
  readonly byTenant: boolean;
  /** The template of the object, if a preset rendered it. */
  readonly origin?: Origin;
}

/** All layers of one namespace, merged. */
export interface MergedSettings {
  readonly clusters?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly contact: Readonly<Record<string, string>>;
  readonly grants: readonly Grant[];
  readonly roles: readonly RoleDeclaration[];
  readonly breakGlass: readonly BreakGlassEntry[];
  readonly quota: Quota;
  readonly limits: Limits;
  readonly network: Network;
  readonly podSecurity: Readonly<Record<string, string>>;
  readonly disruptionBudgets: readonly DisruptionBudget[];
  readonly serviceAccounts: readonly ServiceAccountSettings[];
  readonly imagePullSecrets: readonly string[];
  readonly deletion: 'Confirm' | 'None';
  readonly resources: readonly ExtraResource[];
  readonly syncWindows: readonly LayeredValue<SyncWindow>[];
}

/** Returns the maximum number of live pods in a namespace, by its quota; undefined if there is no bound. */
export function computeMaxPods(hard: Quota['hard']): number | undefined {
  const bounds = [hard['pods'], hard['count/pods']].flatMap((value) =>
    value === undefined ? [] : [Number(parseQuantity(value)! / parseQuantity(1)!)],
  );
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

const strength: readonly Lifecycle[] = ['Active', 'Suspended', 'Retired'];

/** Returns the stricter lifecycle: a namespace can be retired before its tenant, and is never more active than it. */
export function pickStricterLifecycle(a: Lifecycle = 'Active', b: Lifecycle = 'Active'): Lifecycle {
  return strength[Math.max(strength.indexOf(a), strength.indexOf(b))]!;
}
