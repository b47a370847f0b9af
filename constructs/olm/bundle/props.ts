import type {
  ApiServices,
  ClusterServiceVersionSpec,
  Descriptor,
  InstallModeType,
  ResourceReference,
} from '../../../olm/bundle/clusterserviceversion.ts';
import type { DescriptorChanges } from '../../../olm/descriptors/descriptors.ts';
import type { Suite } from '../../../olm/rules/validatebundle.ts';
import type { OperatorSpec } from '../../operator/parts/spec.ts';

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
  | 'OpenShift Optional'
  | 'Other'
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
  | { readonly constraint: BundleConstraint };

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
export type SaidOfOperator = Pick<
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
export interface BundleProps extends SaidOfOperator {
  /** What runs, what it may do, and what asks it: what `Operator` takes. Its `version` has to be said. */
  readonly operator: OperatorSpec;
  /** The name of the operator in a catalog, and before `.v1.2.3` that of the bundle. @default - that of the operator */
  readonly package?: string;
  /** The channels that it is in, such as `candidate`, `fast` and `stable`. */
  readonly channels: readonly string[];
  /** @default - none: the catalog says it, or there is one channel */
  readonly defaultChannel?: string;
  /** OperatorGroups that it works in. @default - what `operator.watch` says; `AllNamespaces` where it converts */
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
  /** Annotations of `spec`, for tools. @default - none */
  readonly specAnnotations?: Readonly<Record<string, string>>;
  /** Aggregated API servers. @default - none */
  readonly apiServices?: ApiServices;
  /** By the name of the CustomResourceDefinition: `<plural>.<group>`. @default - as schemas say */
  readonly kinds?: Readonly<Record<string, ShownKind>>;
  /** Images of what the operator runs, by a name each; its own comes besides. @default - none */
  readonly images?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly dependencies?: readonly BundleDependency[];
  /** Properties besides those that OLM derives, by their type. @default - none */
  readonly properties?: readonly { readonly type: string; readonly value: unknown }[];
  /** The image of the tests of scorecard, or none of them. @default - that of operator-sdk 1.41 */
  readonly scorecard?: string | false;
  /**
   * The rules that it is held to when the app is synthesized, as by `tenantry bundle validate --suite`.
   * @default 'default'
   */
  readonly suite?: Suite;
  /** Where it is written, from the output folder. @default - olm/bundle/<version> */
  readonly folder?: string;
}
