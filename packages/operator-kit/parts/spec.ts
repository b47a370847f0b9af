import type { AccessRule } from '@tenantry/kube/access';
import type { Affinity, Toleration, TopologySpreadConstraint } from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';
import type {
  EnvironmentSource,
  EnvironmentValue,
  MountedFiles,
  OperatorPort,
  OperatorResources,
  OperatorSidecar,
} from './pod-spec.ts';
import type { NetworkPolicyPeer } from '@tenantry/kube/api/networking';
import type { LabelSelector } from '@tenantry/crd/schema/language';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import type { Definition } from '@tenantry/crd/definition';

/** The namespaces in which an operator reconciles objects, under OLM's names. */
export type WatchScope =
  | { readonly mode: 'AllNamespaces' }
  | { readonly mode: 'OwnNamespace' }
  | { readonly mode: 'SingleNamespace'; readonly namespace: string }
  | { readonly mode: 'MultiNamespace'; readonly namespaces: readonly string[] };

/** How one of several replicas becomes the leader. */
export type LeaderElectionKind =
  /** By a Lease with the operator's name in its namespace: `leaseElection` of the runtime. */
  | 'Lease'
  /** By the same Lease, which the leader keeps until its process ends: `electionForLife`. */
  | 'ForLife'
  /** No election: there is one replica, and none during a change. */
  | 'None';

/** The probes of an operator. */
export interface OperatorProbes {
  /** A number, or the name of one of the other ports. @default 8081 */
  readonly port?: number | string;
  /** @default /healthz */
  readonly live?: string;
  /**
   * @default - /readyz; with conversions /readyz?exclude=caches, because the caches contain objects
   * that it must convert
   */
  readonly ready?: string;
  /** Seconds until `live` must succeed for the first time. @default - 30 */
  readonly startup?: number;
}

/** The metrics endpoint of an operator. */
export interface OperatorMetrics {
  /** @default 8080 */
  readonly port?: number;
  /** @default /metrics */
  readonly path?: string;
  /**
   * The labels of a ServiceMonitor. Set it only if the cluster has that kind of the Prometheus
   * Operator.
   * @default - none
   */
  readonly monitor?: { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * An operator: what it runs, its rights and its webhooks. It is plain data, of which
 * `operatorParts` makes the objects.
 */
export interface OperatorSpec {
  /**
   * A DNS label that starts with a letter. It names the Deployment, the ServiceAccount, the roles,
   * the Lease and, by default, the namespace. Do not change it.
   */
  readonly name: string;
  /** Semver, without a `v`. It becomes a label of the Deployment. @default - no label */
  readonly version?: string;
  /** With a tag other than `latest`, or a digest. The image runs as a user with a number, and not as root. */
  readonly image: string;
  /** The operator's namespace. @default - the name */
  readonly namespace?: string;
  /** Whether the Namespace is one of the objects; it enforces Pod Security `restricted`. @default true */
  readonly makesNamespace?: boolean;
  /** Kinds whose definitions the operator brings. @default - none */
  readonly owned?: readonly OperatorKind[];
  /** Kinds that the operator uses and that something else defines. @default - none */
  readonly required?: readonly OperatorKind[];
  /** All rights of the operator: `access` of its manager or controllers. Nothing else is granted. */
  readonly access: readonly AccessRule[];
  /**
   * The namespaces that it watches. In a scope narrower than the cluster, Roles in these namespaces
   * grant the access to namespaced kinds. The namespaces must exist. The pods get them in
   * `WATCH_NAMESPACE`, separated by commas.
   * @default AllNamespaces
   */
  readonly watch?: WatchScope;
  /** The election adds its own rights. @default 'Lease' */
  readonly leaderElection?: LeaderElectionKind;
  /** @default - 2, and 1 without an election */
  readonly replicas?: number;
  /** @default - the image's */
  readonly command?: readonly string[];
  /** @default - the image's */
  readonly args?: readonly string[];
  /** Variables by name. @default - none */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>;
  /** Variables by the keys of objects; `environment` takes precedence. @default - none */
  readonly environmentFrom?: readonly EnvironmentSource[];
  /** Files and folders in its file system, which is otherwise read-only. @default - the files of the image */
  readonly files?: readonly MountedFiles[];
  /** @default - requests of 50m and 128Mi, a limit of 256Mi */
  readonly resources?: OperatorResources;
  /** Further containers in each pod. @default - none */
  readonly sidecars?: readonly OperatorSidecar[];
  /** @default - the cluster's */
  readonly priorityClass?: string;
  /** Labels of the nodes that may run its pods, in addition to `kubernetes.io/os: linux`. @default - none */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Taints of nodes that its pods tolerate. @default - none */
  readonly tolerations?: readonly Immutable<Toleration>[];
  /** The affinity and anti-affinity of its pods. @default - none */
  readonly affinity?: Immutable<Affinity>;
  /**
   * How its replicas are spread. A constraint without a selector applies to its own pods.
   * @default - one replica per node and per zone, as far as there is room
   */
  readonly topologySpreadConstraints?: readonly Immutable<TopologySpreadConstraint>[];
  /** The names of Secrets. @default - none */
  readonly imagePullSecrets?: readonly string[];
  /** Seconds within which the process must stop. @default 40 */
  readonly gracePeriod?: number;
  /** Ports in addition to those of probes, metrics and webhooks. @default - none */
  readonly ports?: readonly OperatorPort[];
  /** @default - at 8081 */
  readonly probes?: OperatorProbes | false;
  /** @default - at 8080, without a ServiceMonitor */
  readonly metrics?: OperatorMetrics | false;
  /** @default - none */
  readonly webhooks?: OperatorWebhooks;
  /** The connections to and from its pods; `false` makes no NetworkPolicy. @default - see OperatorNetwork */
  readonly network?: OperatorNetwork | false;
  /** Further labels of every object. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Further labels of the pods. @default - none */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Annotations of the pods, such as those of a service mesh or a log collector. @default - none */
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

/** The identity and the rights of an operator, without the image that it runs. */
export type ImagelessSpec = Omit<OperatorSpec, 'image'>;

/** A further destination of the pods' connections. */
export interface Destination {
  /** @default - any address: a policy cannot name a host */
  readonly to?: readonly Immutable<NetworkPolicyPeer>[];
  /** TCP ports. */
  readonly ports: readonly number[];
}

/** A further client of the pods. */
export interface NetworkClient {
  /** Must not be empty: an empty list means everybody. */
  readonly from: readonly Immutable<NetworkPolicyPeer>[];
  /** The names of ports of the operator, or of its sidecars. */
  readonly ports: readonly string[];
}

/**
 * The connections to and from the pods. The monitoring reaches the metrics. Anybody who has the
 * address of a pod reaches the webhooks, because the addresses of API servers are not known. Other
 * ports are closed until `clients` opens them.
 *
 * The pods reach DNS and the ports of API servers.
 */
export interface OperatorNetwork {
  /** The peers that read metrics; an empty list means nobody. @default - the namespace `monitoring` */
  readonly monitoring?: readonly Immutable<NetworkPolicyPeer>[];
  /** The DNS servers; an empty list means none. @default - kube-dns in `kube-system` */
  readonly dns?: readonly Immutable<NetworkPolicyPeer>[];
  /** @default - 53 */
  readonly dnsPorts?: readonly number[];
  /** At any address. @default - 443 and 6443 */
  readonly apiServerPorts?: readonly number[];
  /** The clients of further ports, of the operator or of a sidecar. @default - none */
  readonly clients?: readonly NetworkClient[];
  /** @default - none */
  readonly destinations?: readonly Destination[];
}

/** An issuer of cert-manager. */
export interface IssuerName {
  readonly name: string;
  /** @default 'Issuer', in the namespace of the operator */
  readonly kind?: 'Issuer' | 'ClusterIssuer';
}

/** A kind that the operator converts between its versions. */
export interface OperatorConversion {
  /** One of `owned`. */
  readonly kind: OperatorKind;
  /** @default - /convert/<plural>.<group>, as the runtime's */
  readonly path?: string;
}

/** The requests that a webhook handles. */
export interface AdmissionRule {
  /** '' is the core group. */
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** Plurals, or subresources such as `pods/status`. */
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  /** @default '*' */
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** A webhook that the API server calls before it stores an object. */
export interface OperatorAdmission {
  /** A name with two dots or more, such as `owners.shops.example.com`. */
  readonly name: string;
  /** @default - /validate/<plural>.<group> of its first rule, or /mutate/..., as the runtime's */
  readonly path?: string;
  readonly rules: readonly AdmissionRule[];
  /** What happens to requests if the webhook does not answer. @default 'Fail' */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** @default 'None' */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds, from 1 to 30. @default 10 */
  readonly timeout?: number;
  /** @default 'Equivalent' */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /**
   * The namespaces whose objects it handles.
   * @default - the watched namespaces; for kinds that are not owned, all but the operator's own, so
   * that its pods never wait for themselves
   */
  readonly namespaceSelector?: LabelSelector;
  /** @default - all objects */
  readonly objectSelector?: LabelSelector;
  /** CEL expressions, which must all be true. @default - none */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** A webhook that may change objects. */
export interface OperatorMutation extends OperatorAdmission {
  /** Whether it is called again if another webhook changes the object after it. @default 'Never' */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** The webhooks that API servers call. */
export interface OperatorWebhooks {
  /** @default 9443 */
  readonly port?: number;
  /**
   * What makes the certificate and writes `caBundle`.
   *
   * - `operator`: the operator itself (`SharedCertificates`). It has rights for the Secret
   *   `<name>-webhooks`, which is rendered empty.
   * - `cert-manager`: cert-manager, by an Issuer of the operator's own or an existing one. The pods
   *   find `tls.crt` and `tls.key` in /tmp/k8s-webhook-server/serving-certs, where OLM also mounts
   *   them.
   */
  readonly certificates: 'operator' | 'cert-manager' | { readonly issuer: IssuerName };
  readonly conversion?: readonly OperatorConversion[];
  readonly validating?: readonly OperatorAdmission[];
  readonly mutating?: readonly OperatorMutation[];
}

/** A kind: its definition, as `define` gives it and `crd import` writes it, or the CustomResourceDefinition itself. */
export type OperatorKind = Definition | CustomResourceDefinitionManifest;
