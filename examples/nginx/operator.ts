import type { OperatorSpec } from '@tenantry/operator-kit';
import { NAME } from './deployment.ts';
import { accessOf, releaseOf, type ReleaseVersion } from './releases.ts';

/** The installation options of a release. */
export interface InstallProps {
  /** @default - quay.io/example/nginx-operator, with the version as tag */
  readonly image?: string;
  /** 0 if the operator runs on your machine. @default 2 */
  readonly replicas?: number;
  /** `for-life`: a leader leads until its pod ends. @default 'lease' */
  readonly election?: 'lease' | 'for-life';
  /**
   * The issuer of the webhook's certificate: the operator itself, or cert-manager. OLM puts its
   * certificate in the same place as cert-manager. @default 'operator'
   */
  readonly certificates?: 'operator' | 'cert-manager';
  /** Whether the cluster has ServiceMonitors. @default false */
  readonly hasMonitors?: boolean;
}

/** Builds the specification of a release for `Operator` and `Bundle`. */
export function operatorOf(version: ReleaseVersion, props: InstallProps = {}): OperatorSpec {
  const { election = 'lease', certificates = 'operator', hasMonitors = false } = props;
  const release = releaseOf(version);
  const { definition, converts } = release;
  return {
    name: NAME,
    version,
    image: props.image ?? `quay.io/example/nginx-operator:${version}`,
    replicas: props.replicas ?? 2,
    args: [
      `--release=${version}`,
      '--serve',
      `--leader-election=${election}`,
      `--certificates=${certificates}`,
    ],
    environment: {
      POD_NAME: { field: 'metadata.name' },
      POD_NAMESPACE: { field: 'metadata.namespace' },
    },
    owned: [definition],
    access: accessOf(release),
    leaderElection: election === 'lease' ? 'Lease' : 'ForLife',
    metrics: { ...(hasMonitors && { monitor: {} }) },
    ...(converts && { webhooks: { certificates, conversion: [{ kind: definition }] } }),
  };
}
