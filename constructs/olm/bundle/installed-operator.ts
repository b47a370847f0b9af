import type {
  DeploymentStrategySpec,
  WebhookDefinition,
} from '../../../olm/bundle/cluster-service-version.ts';
import type { OperatorKind } from '../../operator/parts/kind-spec.ts';
import type { OperatorSpec } from '../../operator/parts/spec.ts';

/**
 * An operator as OLM installs it, written out: Deployments, rights and webhooks are those of the
 * ClusterServiceVersion, word for word, and nothing is added. For what an `OperatorSpec` does not say, such as
 * several Deployments; `tenantry bundle import` gives it.
 */
export interface InstalledOperator {
  /** By which the package is called where nothing else is said. */
  readonly name: string;
  /** Semver, without a `v`. */
  readonly version?: string;
  /** Kinds whose definitions come with it. @default - none */
  readonly owned?: readonly OperatorKind[];
  /** What OLM creates: Deployments, and rights for their ServiceAccounts. */
  readonly install: DeploymentStrategySpec;
  /** The webhooks that OLM registers. @default - none */
  readonly webhooks?: readonly WebhookDefinition[];
}

/** Whether an operator is written out, as OLM has it. */
export function isInstalledOperator(
  operator: OperatorSpec | InstalledOperator,
): operator is InstalledOperator {
  return 'install' in operator;
}
