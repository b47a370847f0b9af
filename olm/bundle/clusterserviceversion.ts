import type { LabelSelector } from '../../schema/language.ts';

/**
 * The ClusterServiceVersion of operators.coreos.com/v1alpha1 as a bundle carries it: all that its
 * author says, and no status.
 *
 * Source: https://olm.operatorframework.io/docs/concepts/crds/clusterserviceversion/
 */
export interface ClusterServiceVersion {
  readonly apiVersion: 'operators.coreos.com/v1alpha1';
  readonly kind: 'ClusterServiceVersion';
  readonly metadata: {
    /** Such as `redis-operator.v1.2.3`: it names the bundle in a catalog. */
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: ClusterServiceVersionSpec;
}

/** What an operator is, what it serves and needs, and how it is installed. */
export interface ClusterServiceVersionSpec {
  /** How it is called where people read. */
  readonly displayName: string;
  /** Its version, semver. */
  readonly version?: string;
  /** Which packaging of the version: identifiers between dots, at most 20 characters. */
  readonly release?: string;
  /** Such as `alpha` or `stable`; for people. */
  readonly maturity?: string;
  /** What it is, in Markdown. */
  readonly description?: string;
  /** What people search for. */
  readonly keywords?: readonly string[];
  readonly maintainers?: readonly Maintainer[];
  /** Who stands behind it. */
  readonly provider?: NamedLink;
  readonly links?: readonly NamedLink[];
  readonly icon?: readonly Icon[];
  /** The oldest Kubernetes that it runs on, semver. @default - any */
  readonly minKubeVersion?: string;
  /** How many namespaces it can watch. */
  readonly installModes?: readonly InstallMode[];
  readonly install: InstallStrategy;
  /** Kinds of CustomResourceDefinitions. */
  readonly customresourcedefinitions?: CustomResources;
  /** Kinds of aggregated API servers. */
  readonly apiservicedefinitions?: ApiServices;
  readonly webhookdefinitions?: readonly WebhookDefinition[];
  /** Kinds that the cluster itself must have. */
  readonly nativeAPIs?: readonly GroupVersionKind[];
  /** The ClusterServiceVersion that this one takes the place of. */
  readonly replaces?: string;
  /** Further ones that may be skipped on the way to it. */
  readonly skips?: readonly string[];
  /** Labels and annotations for tools; neither is put on anything. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Which resources belong to it. */
  readonly selector?: LabelSelector;
  readonly cleanup?: Cleanup;
  /** All images that it needs, its operands' among them. */
  readonly relatedImages?: readonly RelatedImage[];
}

/** A person or a group to write to. */
export interface Maintainer {
  readonly name?: string;
  readonly email?: string;
}

/** Something with a name that is to be found at an address. */
export interface NamedLink {
  readonly name?: string;
  readonly url?: string;
}

/** A picture. */
export interface Icon {
  readonly base64data: string;
  /** `image/svg+xml`, `image/png`, `image/jpeg` or `image/gif`. */
  readonly mediatype: string;
}

/** Whether an operator works in an OperatorGroup of a kind. */
export interface InstallMode {
  readonly type: InstallModeType;
  readonly supported: boolean;
}

/** Which namespaces an OperatorGroup selects. */
export type InstallModeType =
  'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace' | 'AllNamespaces';

/** How an operator is installed. */
export interface InstallStrategy {
  /** OLM knows no other than `deployment`. */
  readonly strategy: string;
  readonly spec?: DeploymentStrategySpec;
}

/** What OLM creates for an operator. */
export interface DeploymentStrategySpec {
  readonly deployments: readonly StrategyDeployment[];
  /** Roles in the namespaces that the operator watches. */
  readonly permissions?: readonly StrategyPermissions[];
  readonly clusterPermissions?: readonly StrategyPermissions[];
}

/** A Deployment that OLM creates. */
export interface StrategyDeployment {
  readonly name: string;
  /** The spec of an `apps/v1` Deployment. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Labels of the Deployment. */
  readonly label?: Readonly<Record<string, string>>;
}

/** What a ServiceAccount may do. */
export interface StrategyPermissions {
  readonly serviceAccountName: string;
  readonly rules: readonly StrategyRule[];
}

/** A rule of RBAC. */
export interface StrategyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Kinds that an operator brings, and those of others that it needs. */
export interface CustomResources {
  readonly owned?: readonly CustomResourceDescription[];
  readonly required?: readonly CustomResourceDescription[];
}

/** A version of a kind of a CustomResourceDefinition, as people are shown it. */
export interface CustomResourceDescription {
  /** The name of the CustomResourceDefinition: `<plural>.<group>`. */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly displayName?: string;
  readonly description?: string;
  /** Kinds of objects that are made for one of these. */
  readonly resources?: readonly ResourceReference[];
  readonly specDescriptors?: readonly Descriptor[];
  readonly statusDescriptors?: readonly Descriptor[];
  readonly actionDescriptors?: readonly Descriptor[];
}

/** Kinds of aggregated API servers: those of the operator, and those of others that it needs. */
export interface ApiServices {
  readonly owned?: readonly ApiServiceDescription[];
  readonly required?: readonly ApiServiceDescription[];
}

/** A version of a kind of an aggregated API server, as people are shown it. */
export interface ApiServiceDescription extends CustomResourceDescription {
  readonly group: string;
  /** The deployment that serves it. */
  readonly deploymentName?: string;
  /** The port at which it does. */
  readonly containerPort?: number;
}

/** A kind of objects. */
export interface ResourceReference {
  /** The name of the CustomResourceDefinition; empty for a kind of Kubernetes. */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

/** How a field is shown and edited. */
export interface Descriptor {
  /** The field, from the spec or the status: `ports[0].number`. */
  readonly path: string;
  readonly displayName?: string;
  readonly description?: string;
  /** What it is shown as, such as `urn:alm:descriptor:com.tectonic.ui:podCount`. */
  readonly 'x-descriptors'?: readonly string[];
  /** Any JSON; OLM's own CustomResourceDefinition takes a string in base64 alone. */
  readonly value?: unknown;
}

/** A webhook that OLM registers, with certificates of its own. */
export interface WebhookDefinition {
  readonly generateName: string;
  readonly type: WebhookType;
  /** The deployment that serves it. */
  readonly deploymentName?: string;
  /** The port of the Service that OLM makes. @default 443 */
  readonly containerPort?: number;
  /** The port of the pods. @default - containerPort */
  readonly targetPort?: number | string;
  readonly rules?: readonly WebhookRule[];
  /** @default 'Fail' */
  readonly failurePolicy?: string;
  /** @default 'Equivalent' */
  readonly matchPolicy?: string;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects: string;
  /** In seconds. @default 10 */
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions: readonly string[];
  /** @default 'Never' */
  readonly reinvocationPolicy?: string;
  readonly webhookPath?: string;
  /** The names of the CustomResourceDefinitions that it converts. */
  readonly conversionCRDs?: readonly string[];
}

/** What a webhook is asked for. */
export type WebhookType =
  'ValidatingAdmissionWebhook' | 'MutatingAdmissionWebhook' | 'ConversionWebhook';

/** Requests that a webhook is asked about. */
export interface WebhookRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  /** @default '*' */
  readonly scope?: string;
}

/** A kind in a version. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What goes with the operator. */
export interface Cleanup {
  /** Whether the objects of its kinds are deleted with it. */
  readonly enabled: boolean;
}

/** An image that the operator needs. */
export interface RelatedImage {
  readonly name: string;
  readonly image: string;
}
