import type { Scope } from '../../kube/builtin-kinds.ts';
import type { Definition } from '../../crds/definition.ts';
import type { Finding } from '../../kube/finding.ts';
import type { PlatformSpec } from '../../crds/tenantry/platform.ts';
import type { ArgoCDSource, OperatorMonitoring } from '../../crds/tenantry/types.ts';
import type { Peer } from '../../crds/tenantry/network.ts';
import type { DriftPolicy } from '../../crds/tenantry/types.ts';
import type { TenantSpec } from '../../crds/tenantry/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenant-class.ts';
import type { ComparedResource } from './compared-kinds.ts';
import type { Delegation } from './delegation.ts';

/** A Tenant as it was declared: valid against its schema, not yet against its class. */
export interface TenantDeclaration {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: TenantSpec;
}

/** A TenantClass as it was declared. */
export interface TenantClassDeclaration {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: TenantClassSpec;
  /** The class that it extends, where `Fleet.classOf` gives it: the spec is then that of both. */
  readonly base?: TenantClassDeclaration;
}

/** A cluster with everything that was left out filled in. */
export interface Cluster {
  readonly name: string;
  readonly server?: string;
  readonly kubernetesVersion?: string;
  /** What Argo CD syncs to it, where that is not what its source says. */
  readonly targetRevision?: string;
  readonly ingressControllers: readonly Peer[];
  readonly monitoring: readonly Peer[];
  readonly dns: readonly Peer[];
  readonly dnsPorts: readonly number[];
}

/** A definition of a custom resource that lies in namespaces. */
export interface KnownDefinition {
  readonly group: string;
  readonly kind: string;
  /** Another one after any change to the definition. */
  readonly digest: string;
  /** The definition, read when the first object of the kind comes, or why it cannot be used. */
  read(): Definition | Finding;
}

/** The Platform with everything that was left out filled in; see `resolvePlatform`. */
export interface Platform {
  /** What was declared of it, without what only files can say (`crdFiles`, `delegation`). */
  readonly declared: PlatformSpec;
  readonly clusters: readonly Cluster[];
  readonly defaultClusters: readonly string[];
  readonly defaultClass: string;
  readonly environments?: readonly string[];
  /** Names, with a `*` at one end for any rest; the fixed core is among them. */
  readonly protectedNamespaces: readonly string[];
  /** Names that are protected by convention, and not on this platform. */
  readonly releasedNamespaces: readonly string[];
  /** Names and patterns of namespaces that are on the clusters, and no tenant's. */
  readonly externalNamespaces: readonly string[];
  readonly trustedLabels: readonly string[];
  /** Asked of files only: the cluster knows objects, and not where they were declared. */
  readonly delegation: Delegation;
  readonly metadataKeys: Readonly<Record<string, string>>;
  readonly identities: { readonly users: readonly string[]; readonly groups: readonly string[] };
  readonly argocdNamespace: string;
  /** Where Argo CD finds the output, with the path filled in; absent: nothing is rendered for it. */
  readonly argocdSource?: ArgoCDSource & { readonly path: string };
  /** The service accounts there that apply what is in Git. */
  readonly argocdServiceAccounts: readonly string[];
  /** What names of groups have before them in the cluster, and not in Argo CD. */
  readonly argocdGroupsPrefix?: string;
  /** Whether Argo CD syncs Applications of tenants as accounts of theirs; absent where nobody says it. */
  readonly argocdImpersonation?: 'Enabled' | 'Disabled';
  /** Whether Argo CD asks the API server what a sync of a tenant would change; absent where nobody says it. */
  readonly argocdServerSideDiff?: 'Enabled' | 'Disabled';
  readonly operatorNamespace: string;
  /** The most that the operator does about differences. */
  readonly driftPolicy: DriftPolicy;
  readonly operatorMonitoring: Required<Omit<OperatorMonitoring, 'runbook'>> &
    Pick<OperatorMonitoring, 'runbook'>;
  /** Kinds of objects in `resources` that the operator compares. */
  readonly comparedKinds: readonly ComparedResource[];
  /** Scopes of custom resources, by `group/Kind`. */
  readonly kinds: ReadonlyMap<string, Scope>;
  /** Definitions of custom resources, by `group/Kind`. */
  readonly definitions: ReadonlyMap<string, KnownDefinition>;
  /** What becomes of an object in `resources` that does not fit its schema. */
  readonly resourceSchemas: 'Refuse' | 'Warn';
}

export type { PlatformSpec };
