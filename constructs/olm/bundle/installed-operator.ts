import type {
  DeploymentStrategySpec,
  WebhookDefinition,
} from '../../../olm/bundle/cluster-service-version.ts';
import type { OperatorKind, OperatorSpec } from '../../operator/parts/spec.ts';

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
