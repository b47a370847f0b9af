// Written by `npm run gen` from the schemas of the ClusterServiceVersion.
import type { DeploymentSpec } from '../../../kube/api/apps.ts';
import type { Immutable } from '../../../kube/immutable.ts';
import type { LabelSelector } from '../../../schema/language.ts';

/** What an operator is, what it serves and needs, and how it is installed. */
export interface ClusterServiceVersionSpec {
  /** How it is called where people read. */
  readonly displayName: string;
  /** Its version, semver. */
  readonly version?: string;
  /**
   * Which packaging of the version it is: identifiers between dots. Must be letters, digits and '-'
   * between dots, numbers without a zero before them, at most 20 characters.
   */
  readonly release?: string;
  /** How ripe it is, for people. */
  readonly maturity?: string;
  /** What it is, in Markdown. */
  readonly description?: string;
  /** What people search for. */
  readonly keywords?: readonly string[];
  /** Who looks after it. */
  readonly maintainers?: readonly Maintainer[];
  /** Who stands behind it. */
  readonly provider?: NamedLink;
  /** Where to read on. */
  readonly links?: readonly NamedLink[];
  /** The picture that stands for it: one. */
  readonly icon?: readonly Icon[];
  /**
   * The oldest Kubernetes that it runs on, semver.
   * @default - any
   */
  readonly minKubeVersion?: string;
  /** How many namespaces it can watch. */
  readonly installModes?: readonly InstallMode[];
  /** How an operator is installed. */
  readonly install: InstallStrategy;
  /** Kinds of CustomResourceDefinitions. */
  readonly customresourcedefinitions?: CustomResources;
  /** Kinds of aggregated API servers. */
  readonly apiservicedefinitions?: ApiServices;
  /** The webhooks that it serves. */
  readonly webhookdefinitions?: readonly WebhookDefinition[];
  /** Kinds that the cluster itself must have. */
  readonly nativeAPIs?: readonly GroupVersionKind[];
  /** The ClusterServiceVersion whose place it takes. */
  readonly replaces?: string;
  /** Further ones that may be skipped on the way to it. */
  readonly skips?: readonly string[];
  /** Labels for tools; they are put on nothing. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations for tools; they are put on nothing. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Which resources belong to it. */
  readonly selector?: LabelSelector;
  /** What goes with the operator. */
  readonly cleanup?: Cleanup;
  /** All images that it needs, its operands' among them. */
  readonly relatedImages?: readonly RelatedImage[];
}

/** A person or a group to write to. */
export interface Maintainer {
  /** The name. */
  readonly name?: string;
  /** An address of mail. */
  readonly email?: string;
}

/** Something with a name that is to be found at an address. */
export interface NamedLink {
  /** What it is called. */
  readonly name?: string;
  /** Where it is. */
  readonly url?: string;
}

/** A picture. */
export interface Icon {
  /** The picture, in base64. */
  readonly base64data: string;
  /** What picture it is. */
  readonly mediatype: 'image/svg+xml' | 'image/png' | 'image/jpeg' | 'image/gif';
}

/** Whether an operator works in an OperatorGroup of a kind. */
export interface InstallMode {
  /** Which namespaces an OperatorGroup selects. */
  readonly type: InstallModeType;
  /** Whether it does. */
  readonly supported: boolean;
}

/** Which namespaces an OperatorGroup selects. */
export type InstallModeType =
  'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace' | 'AllNamespaces';

/** How an operator is installed. */
export interface InstallStrategy {
  /** OLM knows no other. */
  readonly strategy: 'deployment';
  /** What OLM creates for an operator. */
  readonly spec?: DeploymentStrategySpec;
}

/** What OLM creates for an operator. */
export interface DeploymentStrategySpec {
  /** What runs it. */
  readonly deployments: readonly StrategyDeployment[];
  /** What it may do in the namespaces that it watches. */
  readonly permissions?: readonly StrategyPermissions[];
  /** What it may do in the whole cluster. */
  readonly clusterPermissions?: readonly StrategyPermissions[];
}

/** A Deployment that OLM creates. */
export interface StrategyDeployment {
  /** Its name. */
  readonly name: string;
  /** The spec of a Deployment. */
  readonly spec: StrategyDeploymentSpec;
  /** Labels of the Deployment. */
  readonly label?: Readonly<Record<string, string>>;
}

/** The spec of a Deployment of apps/v1. */
export type StrategyDeploymentSpec = Immutable<DeploymentSpec>;

/** What a ServiceAccount may do. */
export interface StrategyPermissions {
  /** The ServiceAccount; OLM creates it. */
  readonly serviceAccountName: string;
  /** What it may do. */
  readonly rules: readonly StrategyRule[];
}

/** A rule of RBAC. */
export interface StrategyRule {
  /** What may be done. */
  readonly verbs: readonly string[];
  /** The groups; empty for the core group. */
  readonly apiGroups?: readonly string[];
  /** The resources, in the plural. */
  readonly resources?: readonly string[];
  /** The objects, by name. Default: all. */
  readonly resourceNames?: readonly string[];
  /** Paths of the API server; in `clusterPermissions` alone. */
  readonly nonResourceURLs?: readonly string[];
}

/** Kinds of CustomResourceDefinitions. */
export interface CustomResources {
  /** What the operator brings. */
  readonly owned?: readonly CustomResourceDescription[];
  /** What others must have brought. */
  readonly required?: readonly CustomResourceDescription[];
}

/** A version of a kind of a CustomResourceDefinition, as people are shown it. */
export interface CustomResourceDescription {
  /** The name of the CustomResourceDefinition. */
  readonly name: string;
  /** The version. */
  readonly version: string;
  /** The kind. */
  readonly kind: string;
  /** What it is called. */
  readonly displayName?: string;
  /** What it is. */
  readonly description?: string;
  /** Kinds of objects that are made for one of these. */
  readonly resources?: readonly ResourceReference[];
  /** How fields of the spec are shown. */
  readonly specDescriptors?: readonly Descriptor[];
  /** How fields of the status are shown. */
  readonly statusDescriptors?: readonly Descriptor[];
  /** What can be done with one of these. */
  readonly actionDescriptors?: readonly Descriptor[];
}

/** A kind of objects. */
export interface ResourceReference {
  /** The name of the CustomResourceDefinition; empty for other kinds. */
  readonly name: string;
  /** The kind. */
  readonly kind: string;
  /** Its version, such as `v1`. */
  readonly version: string;
}

/** How a field is shown and edited. */
export interface Descriptor {
  /** The field, from the spec or the status. */
  readonly path: string;
  /** What it is called. */
  readonly displayName?: string;
  /** What it is for. */
  readonly description?: string;
  /** What it is shown as, such as `urn:alm:descriptor:com.tectonic.ui:podCount`. */
  readonly 'x-descriptors'?: readonly string[];
  /** Any JSON; an API server takes a string in base64 alone. */
  readonly value?: unknown;
}

/** Kinds of aggregated API servers. */
export interface ApiServices {
  /** What the operator serves. */
  readonly owned?: readonly ApiServiceDescription[];
  /** What others must serve. */
  readonly required?: readonly ApiServiceDescription[];
}

/** A version of a kind of an aggregated API server, as people are shown it. */
export interface ApiServiceDescription {
  /** Its group. */
  readonly group: string;
  /** The version. */
  readonly version: string;
  /** The kind. */
  readonly kind: string;
  /** The kind in the plural. */
  readonly name: string;
  /** The deployment of the operator that serves it. */
  readonly deploymentName?: string;
  /**
   * The port at which it does.
   * @default - 443
   */
  readonly containerPort?: number;
  /** What it is called. */
  readonly displayName?: string;
  /** What it is. */
  readonly description?: string;
  /** Kinds of objects that are made for one of these. */
  readonly resources?: readonly ResourceReference[];
  /** How fields of the spec are shown. */
  readonly specDescriptors?: readonly Descriptor[];
  /** How fields of the status are shown. */
  readonly statusDescriptors?: readonly Descriptor[];
  /** What can be done with one of these. */
  readonly actionDescriptors?: readonly Descriptor[];
}

/** A webhook that OLM registers, and gives certificates. */
export interface WebhookDefinition {
  /** Its name, a domain of three parts or more. */
  readonly generateName: string;
  /** What a webhook is asked for. */
  readonly type: WebhookType;
  /** The deployment of the operator that serves it. */
  readonly deploymentName?: string;
  /**
   * The port of the Service that OLM creates.
   * @default - 443
   */
  readonly containerPort?: number;
  /**
   * The port of the pods, by number or by name.
   * @default - `containerPort`
   */
  readonly targetPort?: number | string;
  /** What it is asked about; not for conversion. */
  readonly rules?: readonly WebhookRule[];
  /**
   * What holds when it does not answer.
   * @default - `Fail`
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /**
   * Whether requests for other versions of a resource are asked about, too.
   * @default - `Equivalent`
   */
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  /** The objects that it is asked about. */
  readonly objectSelector?: LabelSelector;
  /** What a call changes besides. */
  readonly sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  /**
   * How long a call may take.
   * @default - 10
   */
  readonly timeoutSeconds?: number;
  /** The versions of reviews that it understands. */
  readonly admissionReviewVersions: readonly string[];
  /**
   * Whether it is asked again after other webhooks.
   * @default - `Never`
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  /**
   * The path at which it is served.
   * @default - `/`
   */
  readonly webhookPath?: string;
  /** The names of the CustomResourceDefinitions that it converts. */
  readonly conversionCRDs?: readonly string[];
}

/** What a webhook is asked for. */
export type WebhookType =
  'ValidatingAdmissionWebhook' | 'MutatingAdmissionWebhook' | 'ConversionWebhook';

/** Requests that a webhook is asked about. */
export interface WebhookRule {
  /** What is done. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  /** The groups; empty for the core group. */
  readonly apiGroups?: readonly string[];
  /** The versions. */
  readonly apiVersions?: readonly string[];
  /** The resources, in the plural. */
  readonly resources?: readonly string[];
  /**
   * Where they lie.
   * @default - `*`
   */
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** A kind in a version. */
export interface GroupVersionKind {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version. */
  readonly version: string;
  /** The kind. */
  readonly kind: string;
}

/** What goes with the operator. */
export interface Cleanup {
  /** Whether the objects of its kinds are deleted with it. */
  readonly enabled: boolean;
}

/** An image that the operator needs. */
export interface RelatedImage {
  /** What it is called, once among them. */
  readonly name: string;
  /** Where it is: by its digest, so that it can be mirrored. */
  readonly image: string;
}
