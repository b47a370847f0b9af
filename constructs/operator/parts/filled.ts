import { usesOwnCertificates } from './certificates.ts';
import {
  CERTIFICATES,
  CERTIFICATES_PATH,
  CONTAINER,
  HEALTH,
  METRICS,
  WATCHED,
  WEBHOOKS,
  webhookName,
} from './names.ts';
import type {
  EnvironmentSource,
  EnvironmentValue,
  MountedFiles,
  OperatorPort,
  OperatorResources,
} from './pod-spec.ts';
import type { OperatorSidecar } from './sidecar.ts';
import type { LeaderElectionKind, OperatorMetrics, OperatorSpec } from './spec.ts';
import { watchedNamespaces } from './watch.ts';

const defaultResources: OperatorResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { memory: '256Mi' },
};

/** What the pods of an operator are made of, with what was left out filled in. */
export interface ResolvedPod {
  readonly election: LeaderElectionKind;
  readonly replicas: number;
  readonly gracePeriod: number;
  /** That of the operator first. */
  readonly containers: readonly [ResolvedContainer, ...ResolvedContainer[]];
  /** What is mounted into them, each once, in the order of the containers. */
  readonly volumes: readonly MountedFiles[];
}

/** A container of an operator's pods. */
export interface ResolvedContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[] | undefined;
  readonly ports: readonly OperatorPort[];
  readonly environment: Readonly<Record<string, EnvironmentValue>>;
  readonly environmentFrom: readonly EnvironmentSource[];
  readonly files: readonly MountedFiles[];
  readonly resources: OperatorResources;
  /** Undefined where nobody asks how it is. */
  readonly probes: ResolvedProbes | undefined;
}

/** See `OperatorProbes`; what is undefined is not asked. */
export interface ResolvedProbes {
  /** Of one of the ports, by name. */
  readonly port: string;
  readonly live: string | undefined;
  readonly ready: string | undefined;
  readonly startup: number | undefined;
}

export function resolvePod(spec: OperatorSpec): ResolvedPod {
  const { leaderElection: election = 'Lease', gracePeriod = 40, sidecars = [] } = spec;
  const containers = [
    resolveOperatorContainer(spec),
    ...sidecars.map(resolveSidecarContainer),
  ] as const;
  const files = containers.flatMap((one) => one.files);
  return {
    election,
    replicas: spec.replicas ?? (election === 'None' ? 1 : 2),
    gracePeriod,
    containers,
    volumes: [...new Map(files.map((one) => [one.name, one])).values()],
  };
}

function resolveOperatorContainer(spec: OperatorSpec): ResolvedContainer {
  const { image, command, args, environmentFrom = [], resources = defaultResources } = spec;
  const watched = watchedNamespaces(spec);
  return {
    name: CONTAINER,
    image,
    command,
    args,
    ports: listPorts(spec),
    environment: {
      ...(watched && { [WATCHED]: watched.join(',') }),
      ...spec.environment,
    },
    environmentFrom,
    files: [...(spec.files ?? []), ...listCertificateFiles(spec)],
    resources,
    probes: resolveProbes(spec),
  };
}

function resolveSidecarContainer(sidecar: OperatorSidecar): ResolvedContainer {
  const { name, image, command, args, probes } = sidecar;
  return {
    name,
    image,
    command,
    args,
    ports: sidecar.ports ?? [],
    environment: sidecar.environment ?? {},
    environmentFrom: sidecar.environmentFrom ?? [],
    files: sidecar.files ?? [],
    resources: sidecar.resources ?? defaultResources,
    probes: probes && { live: undefined, ready: undefined, startup: undefined, ...probes },
  };
}

/** Where Prometheus reads; undefined where it does not. */
export function resolveMetrics({
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
function resolveProbes({ probes = {}, webhooks }: OperatorSpec): ResolvedProbes | undefined {
  if (probes === false) return undefined;
  const converts = (webhooks?.conversion ?? []).length > 0;
  const usual = converts ? '/readyz?exclude=caches' : '/readyz';
  const { port = 8081, live = '/healthz', ready = usual } = probes;
  const { startup } = probes;
  return { port: typeof port === 'number' ? HEALTH : port, live, ready, startup };
}

/** In the order: metrics, health, webhooks, others. */
function listPorts(spec: OperatorSpec): readonly OperatorPort[] {
  const { probes = {}, webhooks, ports = [] } = spec;
  const metrics = resolveMetrics(spec);
  const health = probes === false ? undefined : (probes.port ?? 8081);
  return [
    ...(metrics ? [{ name: METRICS, port: metrics.port }] : []),
    ...(typeof health === 'number' ? [{ name: HEALTH, port: health }] : []),
    ...(webhooks ? [{ name: WEBHOOKS, port: webhookPort(spec) }] : []),
    ...ports,
  ];
}

/** Those that cert-manager makes; an operator that makes its own asks the API server for them. */
function listCertificateFiles(spec: OperatorSpec): readonly MountedFiles[] {
  if (!spec.webhooks || usesOwnCertificates(spec.webhooks)) return [];
  return [{ name: CERTIFICATES, path: CERTIFICATES_PATH, from: { secret: webhookName(spec) } }];
}
