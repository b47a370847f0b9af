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

/** Where an operator looks after objects, under the names that OLM has for it. */
export type WatchScope =
  | { readonly mode: 'AllNamespaces' }
  | { readonly mode: 'OwnNamespace' }
  | { readonly mode: 'SingleNamespace'; readonly namespace: string }
  | { readonly mode: 'MultiNamespace'; readonly namespaces: readonly string[] };

/** How one of several replicas comes to lead. */
export type LeaderElectionKind =
  /** By a Lease of the operator's name, in its namespace: `leaseElection` of the runtime. */
  | 'Lease'
  /** The same, until the process ends: `electionForLife`. */
  | 'ForLife'
  /** Not at all: there is one replica, and during a change none. */
  | 'None';

/** Where an operator answers the kubelet. */
export interface OperatorProbes {
  /** A number, or the name of one of the other ports. @default 8081 */
  readonly port?: number | string;
  /** @default /healthz */
  readonly live?: string;
  /** @default - /readyz; of one that converts, /readyz?exclude=caches, as it reads what it has to convert */
  readonly ready?: string;
  /** Seconds that it may take until it answers at `live` the first time. @default - 30 */
  readonly startup?: number;
}

/** Where Prometheus reads. */
export interface OperatorMetrics {
  /** @default 8080 */
  readonly port?: number;
  /** @default /metrics */
  readonly path?: string;
  /**
   * A ServiceMonitor, with these labels: that it is said says that the cluster has the kind, of the Prometheus
   * Operator. @default - none
   */
  readonly monitor?: { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * An operator, whoever wrote it: what runs, what it may do, and what asks it. Plain data, of which
 * `operatorParts` makes the objects.
 */
export interface OperatorSpec {
  /**
   * A DNS label that starts with a letter: of the Deployment, the ServiceAccount, the roles, the Lease and, where
   * none is said, the namespace. It is contract.
   */
  readonly name: string;
  /** Semver, without a `v`. It is told as a label of the Deployment. @default - not told */
  readonly version?: string;
  /** With a tag other than `latest`, or a digest. It has a user of its own, by number, that is not root. */
  readonly image: string;
  /** Where it runs. @default - the name */
  readonly namespace?: string;
  /** Whether the Namespace is among the objects; Pod Security `restricted` is enforced in it. @default true */
  readonly makesNamespace?: boolean;
  /** Kinds whose definitions come with it. @default - none */
  readonly owned?: readonly OperatorKind[];
  /** Kinds that it uses, and that something else defines. @default - none */
  readonly required?: readonly OperatorKind[];
  /** All that it may do: `access` of its manager or controllers, and nothing besides is granted. */
  readonly access: readonly AccessRule[];
  /**
   * In a scope that is narrower than the cluster, access to kinds that lie in namespaces is granted by Roles in
   * these, which must be there, and the pods have them in `WATCH_NAMESPACE`, with commas between.
   * @default AllNamespaces
   */
  readonly watch?: WatchScope;
  /** The rights for it come with it. @default 'Lease' */
  readonly leaderElection?: LeaderElectionKind;
  /** @default - 2, and 1 without an election */
  readonly replicas?: number;
  /** @default - the image's */
  readonly command?: readonly string[];
  /** @default - the image's */
  readonly args?: readonly string[];
  /** Variables by name. @default - none */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>;
  /** Variables by the keys of objects; `environment` goes before them. @default - none */
  readonly environmentFrom?: readonly EnvironmentSource[];
  /** What it finds in its file system, which it cannot write otherwise. @default - what the image has */
  readonly files?: readonly MountedFiles[];
  /** @default - requests of 50m and 128Mi, a limit of 256Mi */
  readonly resources?: OperatorResources;
  /** What runs beside it in each pod. @default - none */
  readonly sidecars?: readonly OperatorSidecar[];
  /** @default - the cluster's */
  readonly priorityClass?: string;
  /** Labels of the nodes that its pods may run on, besides `kubernetes.io/os: linux`. @default - none */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Taints of nodes that its pods bear. @default - none */
  readonly tolerations?: readonly Immutable<Toleration>[];
  /** Near what its pods run, and far from what. @default - none */
  readonly affinity?: Immutable<Affinity>;
  /**
   * How its replicas are spread; one without a selector is of its own pods.
   * @default - one replica a node, and a zone, where there is room
   */
  readonly topologySpreadConstraints?: readonly Immutable<TopologySpreadConstraint>[];
  /** Names of Secrets. @default - none */
  readonly imagePullSecrets?: readonly string[];
  /** Seconds in which the process may stop. @default 40 */
  readonly gracePeriod?: number;
  /** Ports besides those of probes, metrics and webhooks. @default - none */
  readonly ports?: readonly OperatorPort[];
  /** @default - at 8081 */
  readonly probes?: OperatorProbes | false;
  /** @default - at 8080, without a ServiceMonitor */
  readonly metrics?: OperatorMetrics | false;
  /** @default - none */
  readonly webhooks?: OperatorWebhooks;
  /** Who reaches its pods, and whom they reach; `false` makes no NetworkPolicy. @default - see OperatorNetwork */
  readonly network?: OperatorNetwork | false;
  /** Labels of every object besides those it is found by. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels of the pods besides those that they are found by. @default - none */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Annotations of the pods, such as those of a mesh or of who collects logs. @default - none */
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

/** What says who an operator is and what it may do, without what runs. */
export type ImagelessSpec = Omit<OperatorSpec, 'image'>;
