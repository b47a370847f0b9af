import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { catalogSource } from '../api/catalog-source.ts';
import { clusterCatalog } from '../api/cluster-catalog.ts';
import { clusterExtension } from '../api/cluster-extension.ts';
import { operatorCondition } from '../api/operator-condition.ts';
import { operatorGroup } from '../api/operator-group.ts';
import { subscription } from '../api/subscription.ts';
import type {
  CatalogSourceSpec,
  ClusterCatalogSpec,
  ClusterExtensionSpec,
  OperatorConditionSpec,
  OperatorGroupSpec,
  SubscriptionSpec,
} from '../api/types.ts';
import { addSchemaValidation } from '@tenantry/crd/constructs/error-validation';
import type { Catalog } from './catalog.ts';
import {
  validateExtension,
  validateSubscription,
  validateOnlyGroup,
} from './installation-rules.ts';

/** The properties of a CatalogSource. */
export interface CatalogSourceProps {
  /** Its name and namespace. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  readonly spec: CatalogSourceSpec;
}

/** The properties of an OperatorCondition. */
export interface OperatorConditionProps {
  /** Its name and namespace. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  readonly spec: OperatorConditionSpec;
}

/** The properties of a ClusterCatalog. */
export interface ClusterCatalogProps {
  /** Its name. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  readonly spec: ClusterCatalogSpec;
}

/** The properties of an OperatorGroup. */
export interface OperatorGroupProps {
  /** Its name and namespace. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  /** @default - all namespaces */
  readonly spec?: OperatorGroupSpec;
}

/** The properties of a Subscription, and the catalog to check it against. */
export interface SubscriptionProps {
  /** Its name and namespace. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  readonly spec: SubscriptionSpec;
  /** The catalog of its source, which must have the package, the channel and the version. @default - not checked */
  readonly catalog?: Catalog;
}

/** The properties of a ClusterExtension, and the catalog to check it against. */
export interface ClusterExtensionProps {
  /** Its name. @default - a name derived from the construct's path */
  readonly metadata?: ApiObjectMetadata;
  readonly spec: ClusterExtensionSpec;
  /** A catalog of the cluster, which must have the package and the channels. @default - not checked */
  readonly catalog?: Catalog;
}

/**
 * A catalog from which OLM v0 takes operators. It is typed, and validated as by an API server when
 * the app is synthesized.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { CatalogSource } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new CatalogSource(new Chart(app, 'catalogs'), 'ours', {
 *   metadata: { name: 'ours', namespace: 'olm' },
 *   spec: { sourceType: 'grpc', image: 'quay.io/example/catalog:latest' },
 * });
 * app.synth();
 * ```
 */
export class CatalogSource extends ApiObject {
  constructor(scope: Construct, id: string, props: CatalogSourceProps) {
    super(scope, id, {
      ...props,
      apiVersion: catalogSource.versions.v1alpha1.apiVersion,
      kind: catalogSource.kind,
    });
    addSchemaValidation(this, catalogSource);
  }
}

/**
 * Selects the namespaces that the operators of a namespace watch (OLM v0). A namespace has only
 * one. A second one of the app in the same namespace and cluster is refused when the app is
 * synthesized.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { OperatorGroup } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new OperatorGroup(new Chart(app, 'redis'), 'group', {
 *   metadata: { name: 'redis', namespace: 'redis' },
 *   spec: { targetNamespaces: ['redis'] },
 * });
 * app.synth();
 * ```
 */
export class OperatorGroup extends ApiObject {
  constructor(scope: Construct, id: string, props: OperatorGroupProps = {}) {
    super(scope, id, {
      ...props,
      apiVersion: operatorGroup.versions.v1.apiVersion,
      kind: operatorGroup.kind,
    });
    addSchemaValidation(this, operatorGroup, () => validateOnlyGroup(this));
  }
}

/**
 * An operator that OLM v0 installs and upgrades. If the catalog is given, the Subscription is
 * checked against it when the app is synthesized. The package, the channel and the first version
 * must exist. The version that would be installed must support the namespaces of the OperatorGroup
 * beside it.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { Subscription } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new Subscription(new Chart(app, 'redis'), 'subscription', {
 *   metadata: { name: 'redis', namespace: 'redis' },
 *   spec: { name: 'redis-operator', channel: 'stable', source: 'ours', sourceNamespace: 'olm' },
 * });
 * app.synth();
 * ```
 */
export class Subscription extends ApiObject {
  constructor(scope: Construct, id: string, { catalog, ...object }: SubscriptionProps) {
    super(scope, id, {
      ...object,
      apiVersion: subscription.versions.v1alpha1.apiVersion,
      kind: subscription.kind,
    });
    addSchemaValidation(this, subscription, () =>
      catalog ? validateSubscription(this, catalog) : [],
    );
  }
}

/**
 * The conditions that an operator reports to OLM v0, and the admin's overrides. Use it to keep
 * overrides in Git. OLM creates the object under the name of the ClusterServiceVersion.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { OperatorCondition } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new OperatorCondition(new Chart(app, 'redis'), 'overrides', {
 *   metadata: { name: 'redis-operator.v1.2.3', namespace: 'redis' },
 *   spec: {
 *     overrides: [
 *       { type: 'Upgradeable', status: 'False', reason: 'Frozen', message: 'Until the sale is over.' },
 *     ],
 *   },
 * });
 * app.synth();
 * ```
 */
export class OperatorCondition extends ApiObject {
  constructor(scope: Construct, id: string, props: OperatorConditionProps) {
    super(scope, id, {
      ...props,
      apiVersion: operatorCondition.versions.v2.apiVersion,
      kind: operatorCondition.kind,
    });
    addSchemaValidation(this, operatorCondition);
  }
}

/**
 * A bundle that OLM v1 installs and upgrades. If the catalog is given, the ClusterExtension is
 * checked against it when the app is synthesized. `BundleInstallation` makes one together with the
 * account that installs it.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { ClusterExtension } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new ClusterExtension(new Chart(app, 'redis'), 'extension', {
 *   metadata: { name: 'redis' },
 *   spec: {
 *     namespace: 'redis',
 *     serviceAccount: { name: 'redis-installer' },
 *     source: { sourceType: 'Catalog', catalog: { packageName: 'redis-operator', version: '1.2.x' } },
 *   },
 * });
 * app.synth();
 * ```
 */
export class ClusterExtension extends ApiObject {
  constructor(scope: Construct, id: string, { catalog, ...object }: ClusterExtensionProps) {
    super(scope, id, {
      ...object,
      apiVersion: clusterExtension.versions.v1.apiVersion,
      kind: clusterExtension.kind,
    });
    addSchemaValidation(this, clusterExtension, () =>
      catalog ? validateExtension(this, catalog) : [],
    );
  }
}

/**
 * A catalog from which OLM v1 takes bundles.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { ClusterCatalog } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * new ClusterCatalog(new Chart(app, 'catalogs'), 'ours', {
 *   metadata: { name: 'ours' },
 *   spec: {
 *     source: { type: 'Image', image: { ref: 'quay.io/example/catalog:latest', pollIntervalMinutes: 60 } },
 *   },
 * });
 * app.synth();
 * ```
 */
export class ClusterCatalog extends ApiObject {
  constructor(scope: Construct, id: string, props: ClusterCatalogProps) {
    super(scope, id, {
      ...props,
      apiVersion: clusterCatalog.versions.v1.apiVersion,
      kind: clusterCatalog.kind,
    });
    addSchemaValidation(this, clusterCatalog);
  }
}
