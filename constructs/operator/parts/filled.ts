import { byOperator } from './certificates.ts';
import {
  CERTIFICATES,
  CERTIFICATES_PATH,
  HEALTH,
  METRICS,
  WATCHED,
  WEBHOOKS,
  webhookName,
} from './names.ts';
import type { EnvironmentValue, MountedFiles, OperatorPort, OperatorResources } from './podspec.ts';
import type { LeaderElectionKind, OperatorMetrics, OperatorProbes, OperatorSpec } from './spec.ts';
import { watchedNamespaces } from './watch.ts';

const usual: OperatorResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { memory: '256Mi' },
};

/** What a container of an operator is made of, with what was left out filled in. */
export interface FilledPod {
  readonly election: LeaderElectionKind;
  readonly replicas: number;
  readonly ports: readonly OperatorPort[];
  readonly environment: Readonly<Record<string, EnvironmentValue>>;
  readonly files: readonly MountedFiles[];
  readonly resources: OperatorResources;
  readonly gracePeriod: number;
  /** Undefined where nobody asks how it is. */
  readonly probes: FilledProbes | undefined;
}

/** See `OperatorProbes`. */
export type FilledProbes = Required<Omit<OperatorProbes, 'startup'>> &
  Pick<OperatorProbes, 'startup'>;

export function filledPod(spec: OperatorSpec): FilledPod {
  const { leaderElection: election = 'Lease', resources = usual, gracePeriod = 40 } = spec;
  const watched = watchedNamespaces(spec);
  return {
    election,
    replicas: spec.replicas ?? (election === 'None' ? 1 : 2),
    ports: portsOf(spec),
    environment: {
      ...(watched && { [WATCHED]: watched.join(',') }),
      ...spec.environment,
    },
    files: [...(spec.files ?? []), ...certificateFiles(spec)],
    resources,
    gracePeriod,
    probes: probesOf(spec),
  };
}

/** Where Prometheus reads; undefined where it does not. */
export function metricsOf({
  metrics = {},
}: OperatorSpec): (OperatorMetrics & { port: number; path: string }) | undefined {
  if (metrics === false) return undefined;
  const { port = 8080, path = '/metrics' } = metrics;
  return { ...metrics, port, path };
}

/** At which the pods listen for API servers. */
export function webhookPort({ webhooks }: OperatorSpec): number {
  return webhooks?.port ?? 9443;
}

/**
 * Those of a number have a name of ours; one that is named is among the others. Who converts reads what API servers
 * have it convert, and they ask pods alone that are ready: were its caches waited for, no pod would ever be.
 */
function probesOf({ probes = {}, webhooks }: OperatorSpec): FilledProbes | undefined {
  if (probes === false) return undefined;
  const converts = (webhooks?.conversion ?? []).length > 0;
  const usual = converts ? '/readyz?exclude=caches' : '/readyz';
  const { port = 8081, live = '/healthz', ready = usual } = probes;
  return { ...probes, port: typeof port === 'number' ? HEALTH : port, live, ready };
}

/** In the order: metrics, health, webhooks, others. */
function portsOf(spec: OperatorSpec): readonly OperatorPort[] {
  const { probes = {}, webhooks, ports = [] } = spec;
  const metrics = metricsOf(spec);
  const health = probes === false ? undefined : (probes.port ?? 8081);
  return [
    ...(metrics ? [{ name: METRICS, port: metrics.port }] : []),
    ...(typeof health === 'number' ? [{ name: HEALTH, port: health }] : []),
    ...(webhooks ? [{ name: WEBHOOKS, port: webhookPort(spec) }] : []),
    ...ports,
  ];
}

/** Those that cert-manager makes; an operator that makes its own asks the API server for them. */
function certificateFiles(spec: OperatorSpec): readonly MountedFiles[] {
  if (!spec.webhooks || byOperator(spec.webhooks)) return [];
  return [{ name: CERTIFICATES, path: CERTIFICATES_PATH, from: { secret: webhookName(spec) } }];
}
