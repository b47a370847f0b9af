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
  /** Keys for which a layer says that there is no bound. */
  readonly unlimited: readonly string[];
}

export interface Limits {
  readonly name: string;
  readonly items: readonly LimitItem[];
}

type DefaultedField = 'isolation' | 'ingressControllers' | 'monitoring' | 'egress';

/** What no layer says is as it is built in, so that nothing is open but what is said to be. */
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
   * Where in the Tenant it stands: the manifest, or the entry that uses a preset. For what comes
   * from a class: its name.
   */
  readonly path: Path;
  readonly byTenant: boolean;
  /** What it was made from, where a preset made it. */
  readonly origin?: Origin;
}

/** All layers of one namespace laid on top of each other. */
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
