import { catalogSource } from '../api/catalog-source.ts';
import { clusterCatalog } from '../api/cluster-catalog.ts';
import { clusterExtension } from '../api/cluster-extension.ts';
import { clusterServiceVersionKind } from '../api/cluster-service-version.ts';
import { installPlan } from '../api/install-plan.ts';
import { operatorGroup } from '../api/operator-group.ts';
import { subscription } from '../api/subscription.ts';
import { kindOf } from '@tenantry/runtime/kinds/kind';

export const CatalogSource = kindOf(catalogSource, 'v1alpha1');
export const Subscription = kindOf(subscription, 'v1alpha1');
export const InstallPlan = kindOf(installPlan, 'v1alpha1');
export const ClusterServiceVersion = kindOf(clusterServiceVersionKind, 'v1alpha1');
export const OperatorGroup = kindOf(operatorGroup, 'v1');
export const ClusterCatalog = kindOf(clusterCatalog, 'v1');
export const ClusterExtension = kindOf(clusterExtension, 'v1');

/** The label on all objects that `bundle run` creates, with the name of the package. */
export const RUN = 'tenantry.dev/bundle-run';

/** The annotation on the CatalogSource with the ClusterServiceVersions of all runs, separated by commas. */
export const VERSIONS = 'tenantry.dev/bundle-run-versions';

/** The field manager of `bundle run`. */
export const RUN_MANAGER = 'tenantry-bundle-run';
