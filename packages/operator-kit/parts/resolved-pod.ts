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
  OperatorSidecar,
} from './pod-spec.ts';
import type { LeaderElectionKind, OperatorMetrics, OperatorSpec } from './spec.ts';
import { watchedNamespaces } from './rights.ts';

const defaultResources: OperatorResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { memory: '256Mi' },
};

/** The contents of an operator's pods, with defaults filled in. */
export interface ResolvedPod {
  readonly election: LeaderElectionKind;
  readonly replicas: number;
  readonly gracePeriod: number;
  /** The operator's container comes first. */
  readonly containers: readonly [ResolvedContainer, ...ResolvedContainer[]];
  /** The volumes that containers mount, without duplicates, in the order of the containers. */
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
  /** Undefined without probes. */
  readonly probes: ResolvedProbes | undefined;
}

/** See `OperatorProbes`. A probe that is undefined is left out. */
export interface ResolvedProbes {
  /** The name of one of the ports. */
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

/** Returns the metrics with defaults; undefined without metrics. */
export function resolveMetrics({
  metrics = {},
}: OperatorSpec): (OperatorMetrics & { port: number; path: string }) | undefined {
  if (metrics === false) return undefined;
  const { port = 8080, path = '/metrics' } = metrics;
  return { ...metrics, port, path };
}

/** Returns the port at which the pods listen for API servers. */
export function webhookPort({ webhooks }: OperatorSpec): number {
  return webhooks?.port ?? 9443;
}

/**
 * Fills in the defaults of the probes. A port given by number gets our name; a port given by name
 * is one of the others.
 *
 * An operator that converts objects must be ready before its caches are filled. Its caches contain
 * objects that API servers convert through it, and API servers only call pods that are ready.
 */
function resolveProbes({ probes = {}, webhooks }: OperatorSpec): ResolvedProbes | undefined {
  if (probes === false) return undefined;
  const converts = (webhooks?.conversion ?? []).length > 0;
  const usual = converts ? '/readyz?exclude=caches' : '/readyz';
  const { port = 8081, live = '/healthz', ready = usual } = probes;
  const { startup } = probes;
  return { port: typeof port === 'number' ? HEALTH : port, live, ready, startup };
}

/** In the order metrics, health, webhooks, others. */
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

/**
 * Lists the certificate files from cert-manager. An operator that makes its own certificates gets
 * them from the API server.
 */
function listCertificateFiles(spec: OperatorSpec): readonly MountedFiles[] {
  if (!spec.webhooks || usesOwnCertificates(spec.webhooks)) return [];
  return [{ name: CERTIFICATES, path: CERTIFICATES_PATH, from: { secret: webhookName(spec) } }];
}
