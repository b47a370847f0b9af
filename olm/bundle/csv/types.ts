// Written by `npm run gen` from the schemas of the ClusterServiceVersion.
import type { DeploymentSpec } from '../../../kube/api/apps.ts';
import type { Immutable } from '../../../kube/immutable.ts';
import type { LabelSelector } from '../../../schema/language.ts';

/** The description, kinds, requirements and installation of an operator. */
export interface ClusterServiceVersionSpec {
  /** The name for people. */
  readonly displayName: string;
  /** Its version, semver. */
  readonly version?: string;
  /**
   * The release of the version: identifiers between dots. Must be letters, digits and '-' between
   * dots, numbers without a zero before them, at most 20 characters.
   */
  readonly release?: string;
  /** Its maturity, for people. */
  readonly maturity?: string;
  /** The description in Markdown. */
  readonly description?: string;
  /** The keywords for a search. */
  readonly keywords?: readonly string[];
  /** The maintainers. */
  readonly maintainers?: readonly Maintainer[];
  /** The provider. */
  readonly provider?: NamedLink;
  /** Further links. */
  readonly links?: readonly NamedLink[];
  /** The icon: exactly one. */
  readonly icon?: readonly Icon[];
  /**
   * The oldest Kubernetes that it runs on, semver.
   * @default - any
   */
  readonly minKubeVersion?: string;
  /** The types of OperatorGroups that it supports. */
  readonly installModes?: readonly InstallMode[];
  /** The installation of an operator. */
  readonly install: InstallStrategy;
  /** Kinds of CustomResourceDefinitions. */
  readonly customresourcedefinitions?: CustomResources;
  /** Kinds of aggregated API servers. */
  readonly apiservicedefinitions?: ApiServices;
  /** The webhooks that it serves. */
  readonly webhookdefinitions?: readonly WebhookDefinition[];
  /** Kinds that the cluster itself must provide. */
  readonly nativeAPIs?: readonly GroupVersionKind[];
  /** The ClusterServiceVersion that it replaces. */
  readonly replaces?: string;
  /** Further ClusterServiceVersions that an upgrade to this one may skip. */
  readonly skips?: readonly string[];
  /** Labels for tools; they are not applied to objects. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations for tools; they are not applied to objects. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The labels of the resources that belong to it. */
  readonly selector?: LabelSelector;
  /** The cleanup when the operator is deleted. */
  readonly cleanup?: Cleanup;
  /** All images that it needs, including those of its operands. */
  readonly relatedImages?: readonly RelatedImage[];
}

/** A person or a group to contact. */
export interface Maintainer {
  /** The name. */
  readonly name?: string;
  /** The email address. */
  readonly email?: string;
}

/** A named link. */
export interface NamedLink {
  /** The name. */
  readonly name?: string;
  /** The URL. */
  readonly url?: string;
}

/** The icon of the operator. */
export interface Icon {
  /** The image in base64. */
  readonly base64data: string;
  /** The media type of the image. */
  readonly mediatype: 'image/svg+xml' | 'image/png' | 'image/jpeg' | 'image/gif';
}

/** Whether an operator supports a type of OperatorGroup. */
export interface InstallMode {
  /** The namespaces that an OperatorGroup selects. */
  readonly type: InstallModeType;
  /** Whether the operator supports it. */
  readonly supported: boolean;
}

/** The namespaces that an OperatorGroup selects. */
export type InstallModeType =
  'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace' | 'AllNamespaces';

/** The installation of an operator. */
export interface InstallStrategy {
  /** The only strategy of OLM. */
  readonly strategy: 'deployment';
  /** The objects that OLM creates for an operator. */
  readonly spec?: DeploymentStrategySpec;
}

/** The objects that OLM creates for an operator. */
export interface DeploymentStrategySpec {
  /** The Deployments of the operator. */
  readonly deployments: readonly StrategyDeployment[];
  /** The permissions in the namespaces that it watches. */
  readonly permissions?: readonly StrategyPermissions[];
  /** The permissions in the whole cluster. */
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

/** The permissions of a ServiceAccount. */
export interface StrategyPermissions {
  /** The ServiceAccount; OLM creates it. */
  readonly serviceAccountName: string;
  /** The rules. */
  readonly rules: readonly StrategyRule[];
}

/** A rule of RBAC. */
export interface StrategyRule {
  /** The allowed verbs. */
  readonly verbs: readonly string[];
  /** The API groups; empty for the core group. */
  readonly apiGroups?: readonly string[];
  /** The resources, in the plural. */
  readonly resources?: readonly string[];
  /** The objects, by name. Default: all. */
  readonly resourceNames?: readonly string[];
  /** Paths of the API server; only in `clusterPermissions`. */
  readonly nonResourceURLs?: readonly string[];
}

/** Kinds of CustomResourceDefinitions. */
export interface CustomResources {
  /** The kinds that the operator provides. */
  readonly owned?: readonly CustomResourceDescription[];
  /** The kinds that the operator requires from others. */
  readonly required?: readonly CustomResourceDescription[];
}

/** A version of a kind of a CustomResourceDefinition, with its presentation. */
export interface CustomResourceDescription {
  /** The name of the CustomResourceDefinition. */
  readonly name: string;
  /** The version. */
  readonly version: string;
  /** The kind. */
  readonly kind: string;
  /** The name for people. */
  readonly displayName?: string;
  /** The description for people. */
  readonly description?: string;
  /** Kinds of the objects that the operator creates for an object of this kind. */
  readonly resources?: readonly ResourceReference[];
  /** The presentation of the fields of the spec. */
  readonly specDescriptors?: readonly Descriptor[];
  /** The presentation of the fields of the status. */
  readonly statusDescriptors?: readonly Descriptor[];
  /** The actions for an object of this kind. */
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

/** The presentation of a field in a form. */
export interface Descriptor {
  /** The field, from the spec or the status. */
  readonly path: string;
  /** The name for people. */
  readonly displayName?: string;
  /** The description of the field. */
  readonly description?: string;
  /** The widgets, such as `urn:alm:descriptor:com.tectonic.ui:podCount`. */
  readonly 'x-descriptors'?: readonly string[];
  /** Any JSON; an API server accepts only a string in base64. */
  readonly value?: unknown;
}

/** Kinds of aggregated API servers. */
export interface ApiServices {
  /** The kinds that the operator serves. */
  readonly owned?: readonly ApiServiceDescription[];
  /** The kinds that others must serve. */
  readonly required?: readonly ApiServiceDescription[];
}

/** A version of a kind of an aggregated API server, with its presentation. */
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
   * The port at which it is served.
   * @default - 443
   */
  readonly containerPort?: number;
  /** The name for people. */
  readonly displayName?: string;
  /** The description for people. */
  readonly description?: string;
  /** Kinds of the objects that the operator creates for an object of this kind. */
  readonly resources?: readonly ResourceReference[];
  /** The presentation of the fields of the spec. */
  readonly specDescriptors?: readonly Descriptor[];
  /** The presentation of the fields of the status. */
  readonly statusDescriptors?: readonly Descriptor[];
  /** The actions for an object of this kind. */
  readonly actionDescriptors?: readonly Descriptor[];
}

/** A webhook that OLM registers, and for which it issues certificates. */
export interface WebhookDefinition {
  /** Its name, a domain of three parts or more. */
  readonly generateName: string;
  /** The type of a webhook. */
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
  /** The requests that are sent to it; not for conversion. */
  readonly rules?: readonly WebhookRule[];
  /**
   * The policy if the webhook does not answer.
   * @default - `Fail`
   */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /**
   * Whether requests for other versions of a resource match too.
   * @default - `Equivalent`
   */
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  /** The labels of the objects whose requests are sent to it. */
  readonly objectSelector?: LabelSelector;
  /** The side effects of a call. */
  readonly sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  /**
   * The timeout of a call, in seconds.
   * @default - 10
   */
  readonly timeoutSeconds?: number;
  /** The versions of AdmissionReview that it supports. */
  readonly admissionReviewVersions: readonly string[];
  /**
   * Whether it is called again after other webhooks.
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

/** The type of a webhook. */
export type WebhookType =
  'ValidatingAdmissionWebhook' | 'MutatingAdmissionWebhook' | 'ConversionWebhook';

/** The requests that are sent to a webhook. */
export interface WebhookRule {
  /** The operations. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  /** The API groups; empty for the core group. */
  readonly apiGroups?: readonly string[];
  /** The versions. */
  readonly apiVersions?: readonly string[];
  /** The resources, in the plural. */
  readonly resources?: readonly string[];
  /**
   * The scope of the resources.
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

/** The cleanup when the operator is deleted. */
export interface Cleanup {
  /** Whether the objects of its kinds are deleted with the operator. */
  readonly enabled: boolean;
}

/** An image that the operator needs. */
export interface RelatedImage {
  /** The name, unique among the images. */
  readonly name: string;
  /** The image with its digest, so that it can be mirrored. */
  readonly image: string;
}
