import type { OperatorSpec } from '../../index.ts';
import { NAME } from './deployment.ts';
import { accessOf, releaseOf, type ReleaseVersion } from './releases.ts';

/** How the operator of a release is installed. */
export interface InstallProps {
  /** @default - quay.io/example/nginx-operator, with the version as tag */
  readonly image?: string;
  /** 0 is for one that runs on your machine. @default 2 */
  readonly replicas?: number;
  /** `for-life`: who leads does so until its pod ends. @default 'lease' */
  readonly election?: 'lease' | 'for-life';
  /**
   * Who makes the certificate of the webhook: the operator itself, or cert-manager. OLM lays it where cert-manager's
   * lies. @default 'operator'
   */
  readonly certificates?: 'operator' | 'cert-manager';
  /** Whether the cluster has ServiceMonitors. @default false */
  readonly hasMonitors?: boolean;
}

/** What a release consists of, for `Operator` and `Bundle`. */
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
