import type { Scope } from '@tenantry/kube/builtin-kinds';
import type { Definition } from '@tenantry/crd/definition';
import type { Finding } from '@tenantry/kube/finding';
import type { PlatformSpec } from '../crds/platform.ts';
import type { ArgoCDSource, OperatorMonitoring, DriftPolicy } from '../crds/types.ts';
import type { Peer } from '../crds/network.ts';
import type { TenantSpec } from '../crds/tenant.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import type { ComparedResource } from './compared-kinds.ts';
import type { Delegation } from './delegation.ts';

/** A Tenant as declared: validated against its schema, not yet against its class. */
export interface TenantDeclaration {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: TenantSpec;
}

/** A TenantClass as declared. */
export interface TenantClassDeclaration {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: TenantClassSpec;
  /** The parent class, if `ClassRegistry.resolve` returned this class: the spec is then that of both, merged. */
  readonly base?: TenantClassDeclaration;
}

/** A cluster with all defaults filled in. */
export interface Cluster {
  readonly name: string;
  readonly server?: string;
  readonly kubernetesVersion?: string;
  /** The revision that Argo CD syncs to it, if it differs from that of the source. */
  readonly targetRevision?: string;
  readonly ingressControllers: readonly Peer[];
  readonly monitoring: readonly Peer[];
  readonly dns: readonly Peer[];
  readonly dnsPorts: readonly number[];
}

/** The definition of a namespaced custom resource. */
export interface KnownDefinition {
  readonly group: string;
  readonly kind: string;
  /** Changes with every change to the definition. */
  readonly digest: string;
  /** Returns the definition, parsed when the first object of the kind appears, or the reason why it cannot be used. */
  read(): Definition | Finding;
}

/** The Platform with all defaults filled in; see `resolvePlatform`. */
export interface Platform {
  /** The platform spec as declared, without the parts that only files can set (`crdFiles`, `delegation`). */
  readonly declared: PlatformSpec;
  readonly clusters: readonly Cluster[];
  readonly defaultClusters: readonly string[];
  readonly defaultClass: string;
  readonly environments?: readonly string[];
  /** Names of protected namespaces, the fixed core included; a `*` at one end matches any text. */
  readonly protectedNamespaces: readonly string[];
  /** Names that are protected by convention but released on this platform. */
  readonly releasedNamespaces: readonly string[];
  /** Names and patterns of namespaces that exist on the clusters and belong to no tenant. */
  readonly externalNamespaces: readonly string[];
  readonly trustedLabels: readonly string[];
  /** Applies to files only: the cluster knows objects, and not where they were declared. */
  readonly delegation: Delegation;
  readonly metadataKeys: Readonly<Record<string, string>>;
  readonly identities: { readonly users: readonly string[]; readonly groups: readonly string[] };
  readonly argocdNamespace: string;
  /** Where Argo CD finds the output, with the path filled in. Absent: nothing is rendered for Argo CD. */
  readonly argocdSource?: ArgoCDSource & { readonly path: string };
  /** The service accounts in that namespace that apply what is in Git. */
  readonly argocdServiceAccounts: readonly string[];
  /** The prefix that names of groups have in the cluster, and not in Argo CD. */
  readonly argocdGroupsPrefix?: string;
  /** Whether Argo CD syncs Applications of tenants as accounts of the tenants. Absent: not decided. */
  readonly argocdImpersonation?: 'Enabled' | 'Disabled';
  /** Whether Argo CD queries the API server for what a sync of a tenant would change. Absent: not decided. */
  readonly argocdServerSideDiff?: 'Enabled' | 'Disabled';
  readonly operatorNamespace: string;
  /** The strongest reaction of the operator to drift. */
  readonly driftPolicy: DriftPolicy;
  readonly operatorMonitoring: Required<Omit<OperatorMonitoring, 'runbook'>> &
    Pick<OperatorMonitoring, 'runbook'>;
  /** Kinds of objects in `resources` that the operator compares. */
  readonly comparedKinds: readonly ComparedResource[];
  /** Scopes of custom resources, by `group/Kind`. */
  readonly kinds: ReadonlyMap<string, Scope>;
  /** Definitions of custom resources, by `group/Kind`. */
  readonly definitions: ReadonlyMap<string, KnownDefinition>;
  /** The severity of an object in `resources` that does not match its schema. */
  readonly resourceSchemas: 'Refuse' | 'Warn';
  /**
   * The day for which is rendered, as `2027-01-31` in UTC: what ended before is left out. Absent: not known, so that a
   * declaration with an end date is refused.
   */
  readonly date?: string;
}

export type { PlatformSpec };
