import type { LabelSelector } from '@tenantry/kube/label-selector';
import { parseQuantity } from '@tenantry/kube/quantity';
import { listRules } from '@tenantry/kube/cluster-roles';
import { Rights } from '@tenantry/kube/rights/rights';
import type { ApprovalSpec } from '../crds/approval.ts';

/** What owners of a tenant may merge without the platform, with all defaults filled in. */
export interface Approval {
  readonly production: {
    readonly environments: readonly string[];
    readonly namespaceSelector?: LabelSelector;
  };
  readonly alone: NonNullable<ApprovalSpec['alone']>;
  readonly operationsGroups: ReadonlySet<string>;
  /** As a binding names them: `ClusterRole admin`. */
  readonly clusterRoles: ReadonlySet<string>;
  /** The rights that Roles of owners may give. */
  readonly roleRights: Rights;
  /** The bounds of a quota by key: `pods`. */
  readonly quota: ReadonlyMap<string, string>;
  /** The bounds of a LimitRange by `default.memory`. */
  readonly limits: ReadonlyMap<string, string>;
  /** Patterns of annotations of namespaces that are for people. */
  readonly annotations: readonly string[];
  /** Absent: every domain. */
  readonly domains?: readonly string[];
  /** `group/Kind`. Absent: kinds that other tenants have. */
  readonly kinds?: ReadonlySet<string>;
}

/** Fills in the defaults of `spec.delegation.approval`. */
export function resolveApproval(spec: ApprovalSpec = {}): Approval {
  const { production = {}, domains, kinds } = spec;
  return {
    production: {
      environments: production.environments ?? ['prod', 'production', 'live'],
      ...(production.namespaceSelector && { namespaceSelector: production.namespaceSelector }),
    },
    alone: spec.alone ?? [{ risk: 'medium' }, { production: false, risk: 'high' }],
    operationsGroups: new Set(spec.operationsGroups),
    clusterRoles: new Set(
      ['admin', 'edit', 'view', ...(spec.clusterRoles ?? [])].map((name) => `ClusterRole ${name}`),
    ),
    roleRights: new Rights([...listRules('admin'), ...(spec.roleRules ?? [])]),
    quota: readBounds(spec.quota ?? {}),
    limits: new Map(
      Object.entries(spec.limits ?? {}).flatMap(([field, bounds]) =>
        [...readBounds(bounds)].map(([key, value]) => [`${field}.${key}`, value] as const),
      ),
    ),
    annotations: spec.annotations ?? [],
    ...(domains && { domains }),
    ...(kinds && { kinds: new Set(kinds.map(({ group = '', kind }) => `${group}/${kind}`)) }),
  };
}

function readBounds(bounds: Readonly<Record<string, string | number>>): Map<string, string> {
  return new Map(Object.entries(bounds).map(([key, value]) => [key, String(value)]));
}

/** Whether a quantity is above a bound. One that cannot be read is. */
export function isAbove(value: string, bound: string): boolean {
  const [is, most] = [parseQuantity(value), parseQuantity(bound)];
  return is === undefined || most === undefined || is > most;
}
