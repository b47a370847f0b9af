import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { freePorts } from '@tenantry/testing/controlplane/launch';
import type { Processes } from '@tenantry/testing/controlplane/processes';
import { until } from '@tenantry/testing/waiting/until';
import { accountOf, ARGOCD } from './installation.ts';
import type { ArgoCdProgram, ArgoCdPrograms } from './programs.ts';

/** The timeout for readiness in milliseconds, on a machine with much other load. */
const within = 120_000;

export interface Components {
  readonly cluster: ClusterAccess;
  readonly programs: ArgoCdPrograms;
  readonly processes: Processes;
  /** The folder of the components; it exists. */
  readonly folder: string;
  /** Seconds between two refreshes of Git and the clusters. */
  readonly resync: number;
}

/**
 * Starts all components and returns when they are ready, or returns the reason if one of them ended. The chosen ports
 * are free, but another process can take one before it is used.
 */
export async function startComponents(components: Components): Promise<string | undefined> {
  const { processes, programs } = components;
  const ports = await freePorts(7);
  const [redis, repo, repoHealth, applications, applicationSets, probe, webhook] = ports.map(
    (port) => `127.0.0.1:${port}`,
  ) as [string, string, string, string, string, string, string];
  const env = environmentOf(components);
  const start = (name: ArgoCdProgram, args: readonly string[]): void =>
    processes.start(name, join(programs.bin, name), args, {
      ...env,
      KUBECONFIG: kubeconfigOf(components.cluster, name),
    });
  start('redis', [redis]);
  start('argocd-repo-server', [
    '--address=127.0.0.1',
    `--port=${portOf(repo)}`,
    '--metrics-address=127.0.0.1',
    `--metrics-port=${portOf(repoHealth)}`,
    `--redis=${redis}`,
  ]);
  start('argocd-application-controller', [
    `--namespace=${ARGOCD}`,
    `--redis=${redis}`,
    `--repo-server=${repo}`,
    `--metrics-port=${portOf(applications)}`,
  ]);
  start('argocd-applicationset-controller', [
    `--namespace=${ARGOCD}`,
    `--argocd-repo-server=${repo}`,
    `--metrics-addr=${applicationSets}`,
    `--probe-addr=${probe}`,
    `--webhook-addr=${webhook}`,
  ]);
  const names = ['redis', ...accounts] as const;
  const end = await until(
    'Argo CD is ready',
    async () => {
      const ended = names
        .map((name) => processes.describeExit(name))
        .find((how) => how !== undefined);
      if (ended !== undefined) return ended;
      // The ApplicationSet controller does not serve /healthz.
      const signs = [
        `${repoHealth}/healthz`,
        `${applications}/healthz`,
        `${applicationSets}/metrics`,
      ];
      const answers = await Promise.all(signs.map(isHealthy));
      return answers.every(Boolean) && '';
    },
    { within },
  );
  return end === '' ? undefined : end;
}

const accounts = [
  'argocd-repo-server',
  'argocd-application-controller',
  'argocd-applicationset-controller',
] as const;

function kubeconfigOf(cluster: ClusterAccess, name: string): string {
  const account = accountOf(cluster, name);
  const file = cluster.kubeconfigFile(name, account);
  account.close();
  return file;
}

/** Returns the environment of their containers; everything that they write is in the folder. */
function environmentOf({ folder, programs, resync }: Components): Record<string, string> {
  const inFolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    PATH: `${programs.bin}:${process.env['PATH']}`,
    HOME: inFolder('home'),
    TMPDIR: inFolder('tmp'),
    GIT_CONFIG_NOSYSTEM: '1',
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_TLS_DATA_PATH: inFolder('tls'),
    ARGOCD_SSH_DATA_PATH: inFolder('ssh'),
    ARGOCD_PLUGINSOCKFILEPATH: inFolder('plugins'),
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_RECONCILIATION_TIMEOUT: `${resync}s`,
    ARGOCD_RECONCILIATION_JITTER: '0s',
    ARGOCD_APPLICATIONSET_CONTROLLER_REQUEUE_AFTER: `${resync}s`,
  };
}

const portOf = (address: string): string => address.split(':')[1]!;

async function isHealthy(sign: string): Promise<boolean> {
  try {
    return (await fetch(`http://${sign}`)).ok;
  } catch {
    return false;
  }
}
