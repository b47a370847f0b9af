import type { AccessRule } from '../../../kube/access.ts';
import type { Affinity, Toleration, TopologySpreadConstraint } from '../../../kube/api/core.ts';
import type { Immutable } from '../../../kube/immutable.ts';
import type { OperatorKind } from './kind-spec.ts';
import type { OperatorNetwork } from './network-spec.ts';
import type {
  EnvironmentSource,
  EnvironmentValue,
  MountedFiles,
  OperatorPort,
  OperatorResources,
} from './pod-spec.ts';
import type { OperatorSidecar } from './sidecar.ts';
import type { OperatorWebhooks } from './webhook-spec.ts';

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
