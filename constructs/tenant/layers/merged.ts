import type { NetworkSettings } from '../../../crds/tenantry/network.ts';
import type { LimitItem, ScopedQuota } from '../../../crds/tenantry/quota.ts';
import type { DisruptionBudget, ServiceAccountSettings } from '../../../crds/tenantry/workload.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Path } from '../../../kube/problem.ts';
import type { Origin } from '../resourcepresets/made.ts';
import type { SyncWindow } from '../../../crds/tenantry/tenant-argocd.ts';
import type { LayeredValue } from './argocd.ts';
import type { Grant, RoleDeclaration } from './grants.ts';

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
