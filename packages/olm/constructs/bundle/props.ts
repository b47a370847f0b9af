import type {
  ApiServices,
  ClusterServiceVersionSpec,
  CustomResources,
  Descriptor,
  InstallModeType,
  RelatedImage,
  ResourceReference,
  DeploymentStrategySpec,
  WebhookDefinition,
} from '../../bundle/cluster-service-version.ts';
import type { DescriptorChanges } from '../../descriptors/descriptors.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Suite } from '../../rules/validate-bundle.ts';
import type { OperatorSpec, OperatorKind } from '@tenantry/operator-kit/parts/spec';

/** The capability levels of OperatorHub. */
export type Capabilities =
  'Basic Install' | 'Seamless Upgrades' | 'Full Lifecycle' | 'Deep Insights' | 'Auto Pilot';

/** The categories of OperatorHub. */
export type Category =
  | 'AI/Machine Learning'
  | 'Application Runtime'
  | 'Big Data'
  | 'Cloud Provider'
  | 'Database'
  | 'Developer Tools'
  | 'Integration & Delivery'
  | 'Logging & Tracing'
  | 'Modernization & Migration'
  | 'Monitoring'
  | 'Networking'
  | 'Observability'
  | 'OpenShift Optional'
  | 'Security'
  | 'Storage'
  | 'Streaming & Messaging';

/** How a kind is displayed, if not as its schema describes it. */
export interface ShownKind {
  /** @default - the kind, in separate words */
  readonly displayName?: string;
  /** @default - the description of its schema */
  readonly description?: string;
  /**
   * Kinds of objects that the operator creates for one of these.
   * @default - Kubernetes' own kinds that the operator may create
   */
  readonly resources?: readonly ResourceReference[];
  /** By the path of a field, relative to the spec. @default - derived from the schema */
  readonly spec?: DescriptorChanges;
  /** By the path of a field, relative to the status. @default - derived from the schema */
  readonly status?: DescriptorChanges;
  /** @default - none */
  readonly actions?: readonly Descriptor[];
  /** Whole objects, by version. @default - one sample of the schema per version */
  readonly examples?: Readonly<Record<string, object>>;
}

/** Something else that must be on the cluster. OLM v0 installs it; OLM v1 installs no dependencies. */
export type BundleDependency =
  | { readonly gvk: { readonly group: string; readonly version: string; readonly kind: string } }
  /** A range, such as `>=1.0.0 <2.0.0`. */
  | { readonly package: { readonly name: string; readonly versions: string } }
  | { readonly constraint: BundleConstraint }
  /** Any other property, word for word. */
  | { readonly type: string; readonly value: unknown };

/** A condition on what is on the cluster. */
export interface BundleConstraint {
  /** The message that people get when the constraint is not satisfied. */
  readonly failureMessage: string;
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly package?: { readonly packageName: string; readonly versionRange: string };
  readonly cel?: { readonly rule: string };
  readonly all?: { readonly constraints: readonly BundleConstraint[] };
  readonly any?: { readonly constraints: readonly BundleConstraint[] };
  readonly not?: { readonly constraints: readonly BundleConstraint[] };
}

/** The fields that the props and the spec of a ClusterServiceVersion have in the same form. */
export const COPIED_FIELDS = [
  'maturity',
  'description',
  'icon',
  'keywords',
  'maintainers',
  'provider',
  'links',
  'minKubeVersion',
  'nativeAPIs',
  'replaces',
  'skips',
  'labels',
  'selector',
  'cleanup',
] as const satisfies readonly (keyof CsvSpecFields)[];

/** The fields of a ClusterServiceVersion that describe the operator, in OLM's own form. */
export type CsvSpecFields = Pick<
  ClusterServiceVersionSpec,
  | 'displayName'
  | 'release'
  | 'maturity'
  | 'description'
  | 'keywords'
  | 'maintainers'
  | 'provider'
  | 'links'
  | 'icon'
  | 'minKubeVersion'
  | 'nativeAPIs'
  | 'replaces'
  | 'skips'
  | 'labels'
  | 'selector'
  | 'cleanup'
>;

/** What a bundle contains. */
export interface BundleProps extends CsvSpecFields {
  /** The Deployment, rights and webhooks: what `Operator` takes, or the form of OLM. Its `version` is required. */
  readonly operator: OperatorSpec | InstalledOperator;
  /** The name of the ClusterServiceVersion. @default - <package>.v<version>, or <package>-v<version>-<release> */
  readonly name?: string;
  /**
   * The name of the operator in a catalog, and the part of the bundle's name before `.v1.2.3`.
   * @default - the operator's name
   */
  readonly package?: string;
  /** The channels that contain the bundle, such as `candidate`, `fast` and `stable`. */
  readonly channels: readonly string[];
  /** @default - none: the catalog sets it, or there is one channel */
  readonly defaultChannel?: string;
  /**
   * The types of OperatorGroups that the operator supports.
   * @default - the mode of `operator.watch`; `AllNamespaces` for an operator with a conversion
   * webhook or in the form of OLM
   */
  readonly installModes?: readonly InstallModeType[];
  /** Versions that can be upgraded to this one directly, such as `>=1.0.0 <1.2.0`. @default - none */
  readonly skipRange?: string;
  readonly capabilities?: Capabilities;
  readonly categories?: readonly Category[];
  /** The time of creation in RFC 3339. @default - none, so that the same source gives the same bytes */
  readonly createdAt?: string;
  /** The URL of the operator's source code. */
  readonly repository?: string;
  /** Who supports the operator. */
  readonly support?: string;
  /** Further annotations of the ClusterServiceVersion. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the ClusterServiceVersion, such as `operatorframework.io/arch.arm64: supported`. @default - none */
  readonly csvLabels?: Readonly<Record<string, string>>;
  /** Annotations of `spec`, for tools. @default - none */
  readonly specAnnotations?: Readonly<Record<string, string>>;
  /** Aggregated API servers. @default - none */
  readonly apiServices?: ApiServices;
  /** By the name of the CustomResourceDefinition: `<plural>.<group>`. @default - derived from the schemas */
  readonly kinds?: Readonly<Record<string, ShownKind>>;
  /** The description of all kinds, in place of what the schemas and `kinds` give. @default - derived */
  readonly customResources?: CustomResources;
  /** Whole objects of its kinds, in place of samples. @default - one sample of the schema per version */
  readonly examples?: readonly object[];
  /**
   * Images that the operator runs, each with a name. The operator's own image is added, unless the
   * operator is in the form of OLM.
   * @default - none
   */
  readonly images?: Readonly<Record<string, string>> | readonly RelatedImage[];
  /** Further objects that OLM creates in the operator's namespace, such as a ConfigMap. @default - none */
  readonly manifests?: readonly KubeObject[];
  /** @default - none */
  readonly dependencies?: readonly BundleDependency[];
  /** Properties in addition to those that OLM derives, by type. @default - none */
  readonly properties?: readonly { readonly type: string; readonly value: unknown }[];
  /**
   * The image of scorecard's tests, their whole configuration, or `false` for no tests.
   * @default - the image of operator-sdk 1.41
   */
  readonly scorecard?: string | false | Readonly<Record<string, unknown>>;
  /**
   * Additions to metadata/annotations.yaml and replacements in it; `false` removes an annotation.
   * @default - none
   */
  readonly bundleAnnotations?: Readonly<Record<string, string | false>>;
  /** Labels of the image in addition to those annotations. @default - none */
  readonly imageLabels?: Readonly<Record<string, string>>;
  /**
   * The rules that are checked when the app is synthesized, as by `tenantry bundle validate
   * --suite`.
   * @default 'default'
   */
  readonly suite?: Suite;
  /**
   * Rules whose errors become warnings. Use it for a published version that breaks a rule and can
   * no longer be changed.
   * @default - none
   */
  readonly accepts?: readonly string[];
  /** The folder of the files, relative to the output folder. @default - olm/bundle/<version> */
  readonly folder?: string;
}

/**
 * An operator exactly as OLM installs it. Deployments, rights and webhooks are copied to the
 * ClusterServiceVersion word for word, and nothing is added.
 *
 * Use it for what `OperatorSpec` cannot express, such as several Deployments. `tenantry bundle
 * import` generates it.
 */
export interface InstalledOperator {
  /** The name of the package, unless the props name another. */
  readonly name: string;
  /** Semver, without a `v`. */
  readonly version?: string;
  /** Kinds whose definitions come with it. @default - none */
  readonly owned?: readonly OperatorKind[];
  /** The Deployments, and the rights of their ServiceAccounts. */
  readonly install: DeploymentStrategySpec;
  /** The webhooks that OLM registers. @default - none */
  readonly webhooks?: readonly WebhookDefinition[];
}

/** Returns whether an operator is given exactly as OLM installs it. */
export function isInstalledOperator(
  operator: OperatorSpec | InstalledOperator,
): operator is InstalledOperator {
  return 'install' in operator;
}

/** Returns the name of the package. */
export function packageName({ package: name, operator }: BundleProps): string {
  return name ?? operator.name;
}

/** Returns the version; empty if there is none, which is reported as an error. */
export function versionOf({ operator }: BundleProps): string {
  return operator.version ?? '';
}

/**
 * Returns the name of the bundle and of its ClusterServiceVersion: `redis.v1.2.3`. With a release
 * it is `redis-v1.2.3-1`, as catalogs require. Build metadata follows a `-`.
 */
export function bundleName(props: BundleProps): string {
  if (props.name !== undefined) return props.name;
  const version = versionOf(props).replaceAll('+', '-');
  const { release } = props;
  const name = packageName(props);
  return release === undefined ? `${name}.v${version}` : `${name}-v${version}-${release}`;
}
