import type { Path } from '@tenantry/kube/problem';
import type { TenantSpec } from '../../crds/types.ts';
import type { SystemObject } from './system-object.ts';

/** A setting of a Tenant for all its namespaces together, for which there is no object. */
export interface TenantSetting {
  readonly tenant: string;
  /** Empty if the setting is only that the tenant has `covers`. */
  readonly spec: Pick<TenantSpec, 'quota' | 'argocd' | 'description'>;
  /** The field that it comes from. What becomes of it is recorded when the tenant is declared. */
  readonly origin: SystemObject;
  readonly path: Path;
  /** Further fields that it comes from, also of other objects. Default: none */
  readonly others?: readonly SettingField[];
  /** The namespaces for which the setting is meant: a tenant with another one must not have it. Default: all */
  readonly within?: ReadonlySet<string>;
  /** Namespaces that the tenant must have. Default: any */
  readonly covers?: readonly string[];
  /** How the setting differs from the field; absent if it does not. */
  readonly difference?: string;
}

/** A field of another system's object. */
export interface SettingField {
  readonly origin: SystemObject;
  readonly path: Path;
}

/** Metadata of objects that only a system reads and writes, and which is not declared. */
export interface Bookkeeping {
  readonly system: string;
  readonly key: string;
  readonly namespaces: readonly string[];
}

export interface RoleRef {
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
}
