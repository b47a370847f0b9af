import type {
  ApiServices,
  ClusterServiceVersionSpec,
  CustomResources,
  Descriptor,
  InstallModeType,
  RelatedImage,
  ResourceReference,
} from '../../../olm/bundle/cluster-service-version.ts';
import type { DescriptorChanges } from '../../../olm/descriptors/descriptors.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Suite } from '../../../olm/rules/validate-bundle.ts';
import type { OperatorSpec } from '../../operator/parts/spec.ts';
import type { InstalledOperator } from './installed-operator.ts';

/** What an operator can do, in words of OperatorHub. */
export type Capabilities =
  'Basic Install' | 'Seamless Upgrades' | 'Full Lifecycle' | 'Deep Insights' | 'Auto Pilot';

/** Under what OperatorHub lists an operator. */
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

/** How a kind is shown, where that is not what its schema says. */
export interface ShownKind {
  /** @default - the kind, in words */
  readonly displayName?: string;
  /** @default - the description of its schema */
  readonly description?: string;
  /** Kinds of objects that are made for one of these. @default - Kubernetes' own kinds that the operator may create */
  readonly resources?: readonly ResourceReference[];
  /** By the path of a field, from the spec. @default - what the schema says */
  readonly spec?: DescriptorChanges;
  /** By the path of a field, from the status. @default - what the schema says */
  readonly status?: DescriptorChanges;
  /** @default - none */
  readonly actions?: readonly Descriptor[];
  /** Whole objects, by version. @default - a sample of the schema a version */
  readonly examples?: Readonly<Record<string, object>>;
}

/** Something that has to be on the cluster, too: OLM v0 installs it, v1 installs no dependencies. */
export type BundleDependency =
  | { readonly gvk: { readonly group: string; readonly version: string; readonly kind: string } }
  /** A range, such as `>=1.0.0 <2.0.0`. */
  | { readonly package: { readonly name: string; readonly versions: string } }
  | { readonly constraint: BundleConstraint }
  /** Any other, word for word. */
  | { readonly type: string; readonly value: unknown };

/** What has to hold of what is on the cluster. */
export interface BundleConstraint {
  /** What people are told where it does not hold. */
  readonly failureMessage: string;
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly package?: { readonly packageName: string; readonly versionRange: string };
  readonly cel?: { readonly rule: string };
  readonly all?: { readonly constraints: readonly BundleConstraint[] };
  readonly any?: { readonly constraints: readonly BundleConstraint[] };
  readonly not?: { readonly constraints: readonly BundleConstraint[] };
}

/** What a ClusterServiceVersion says of itself, field by field as OLM has it. */
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

/** What a bundle says of an operator. */
export interface BundleProps extends CsvSpecFields {
  /**
   * What runs, what it may do, and what asks it: what `Operator` takes, or written out as OLM has it. Its `version`
   * has to be said.
   */
  readonly operator: OperatorSpec | InstalledOperator;
  /** The name of the ClusterServiceVersion. @default - <package>.v<version>, or <package>-v<version>-<release> */
  readonly name?: string;
  /** The name of the operator in a catalog, and before `.v1.2.3` that of the bundle. @default - that of the operator */
  readonly package?: string;
  /** The channels that it is in, such as `candidate`, `fast` and `stable`. */
  readonly channels: readonly string[];
  /** @default - none: the catalog says it, or there is one channel */
  readonly defaultChannel?: string;
  /**
   * OperatorGroups that it works in.
   * @default - what `operator.watch` says; `AllNamespaces` where it converts, and of an operator that is written out
   */
  readonly installModes?: readonly InstallModeType[];
  /** Versions from which one comes to this one at once, such as `>=1.0.0 <1.2.0`. @default - none */
  readonly skipRange?: string;
  readonly capabilities?: Capabilities;
  readonly categories?: readonly Category[];
  /** When it was made: RFC 3339. @default - not said, so that the same source gives the same bytes */
  readonly createdAt?: string;
  /** Where its source is. */
  readonly repository?: string;
  /** Who helps with it. */
  readonly support?: string;
  /** Further annotations of the ClusterServiceVersion. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the ClusterServiceVersion, such as `operatorframework.io/arch.arm64: supported`. @default - none */
  readonly csvLabels?: Readonly<Record<string, string>>;
  /** Annotations of `spec`, for tools. @default - none */
  readonly specAnnotations?: Readonly<Record<string, string>>;
  /** Aggregated API servers. @default - none */
  readonly apiServices?: ApiServices;
  /** By the name of the CustomResourceDefinition: `<plural>.<group>`. @default - as schemas say */
  readonly kinds?: Readonly<Record<string, ShownKind>>;
  /** All kinds as people are shown them, in place of what schemas and `kinds` say. @default - derived */
  readonly customResources?: CustomResources;
  /** Whole objects of its kinds, in place of samples. @default - a sample of the schema a version */
  readonly examples?: readonly object[];
  /**
   * Images of what the operator runs, by a name each. Its own comes besides, but of an operator that is written out.
   * @default - none
   */
  readonly images?: Readonly<Record<string, string>> | readonly RelatedImage[];
  /** Objects that OLM creates besides, where the operator is, such as a ConfigMap. @default - none */
  readonly manifests?: readonly KubeObject[];
  /** @default - none */
  readonly dependencies?: readonly BundleDependency[];
  /** Properties besides those that OLM derives, by their type. @default - none */
  readonly properties?: readonly { readonly type: string; readonly value: unknown }[];
  /** The image of the tests of scorecard, their whole configuration, or none of them. @default - that of operator-sdk 1.41 */
  readonly scorecard?: string | false | Readonly<Record<string, unknown>>;
  /** What metadata/annotations.yaml says besides or otherwise; `false` leaves one out. @default - nothing */
  readonly bundleAnnotations?: Readonly<Record<string, string | false>>;
  /** Labels of the image besides those annotations. @default - none */
  readonly imageLabels?: Readonly<Record<string, string>>;
  /**
   * The rules that it is held to when the app is synthesized, as by `tenantry bundle validate --suite`.
   * @default 'default'
   */
  readonly suite?: Suite;
  /**
   * Rules by which it is not refused, though it breaks them: those that a version breaks which is published, and
   * cannot be changed. They are warned of. @default - none
   */
  readonly accepts?: readonly string[];
  /** Where it is written, from the output folder. @default - olm/bundle/<version> */
  readonly folder?: string;
}
