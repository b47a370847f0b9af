import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import { connectionTo } from '@tenantry/runtime/connection/connection';
import { Transport } from '@tenantry/runtime/connection/transport';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Node, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { findBinaries } from './binaries.ts';
import type { KeyPair } from '@tenantry/runtime/certificates/key-pair';
import { Authority, Identities, type Credentials, type ClusterDetails } from './credentials.ts';
import * as components from './components.ts';
import { FileLock } from './lock.ts';
import { resolveVersion, type Binaries } from './programs.ts';
import { nodeName } from './fake-kubelet.ts';
import { Processes, programFile } from './processes.ts';
import { until } from '../waiting/until.ts';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface ClusterOptions {
  /** Runs the controller manager: ReplicaSets, garbage collection, quotas, deletion of namespaces. */
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  /** Adds a node whose pods become ready. See `FakeKubelet`. */
  readonly readyPods?: boolean;
  /** Flags of kube-apiserver, appended to Tenantry's own. */
  readonly apiServerFlags?: readonly string[];
  /** @default - findBinaries() */
  readonly binaries?: Binaries;
  /** '1.35'. @default - the value of TENANTRY_KUBERNETES, or the newest */
  readonly kubernetesVersion?: string | undefined;
  /**
   * The folder of its data, which is kept: a cluster that ran here before continues.
   * @default - a folder of its own, which is removed with the cluster
   */
  readonly folder?: string;
}

/** The timeout for an API server to become ready, in milliseconds, on a busy machine; 2,000 is usual. */
const within = 120_000;

/** The processes of a cluster that this process started. They end with this process, or with `stop`. */
export interface LaunchedCluster {
  readonly details: ClusterDetails;
  /** Ends them, and removes the folder with all data unless it is to be kept. */
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on a free port of 127.0.0.1, and the other requested parts, and
 * returns when all are ready. Any number of clusters can run at once.
 */
export async function launchCluster(options: ClusterOptions = {}): Promise<LaunchedCluster> {
  const env = buildEnvironment(options);
  const { version } = resolveVersion(env);
  const binaries = options.binaries ?? (await requireBinaries(env));
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'tenantry-cluster-'));
  const lock = options.folder === undefined ? undefined : lockFolder(folder);
  const processes = new Processes(folder, { keep: lock !== undefined });
  const stop = async (): Promise<void> => {
    await processes.stop();
    lock?.release();
  };
  try {
    const authority = lock ? loadOrCreateAuthority(folder) : new Authority();
    const files = components.writeFiles(folder, authority);
    processes.start('etcd', binaries.etcd, components.etcdFlags(files));
    const server = await startApiServer(processes, binaries, files, authority, options);
    const details = { server, authority: authority.pair, folder, version };
    await startControllers(details, processes, binaries, files, authority, options);
    return { details, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the environment with the version of the options, where they have one. */
function buildEnvironment({ kubernetesVersion }: ClusterOptions): NodeJS.ProcessEnv {
  if (kubernetesVersion === undefined) return process.env;
  return { ...process.env, TENANTRY_KUBERNETES: kubernetesVersion };
}

function lockFolder(folder: string): FileLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = FileLock.acquire(join(folder, 'lock'));
  if (lock instanceof FileLock) return lock;
  throw new Error(`a cluster of ${folder} runs already, in process ${lock}`);
}

/**
 * Loads the authority of a cluster that ran in the folder before, so that its certificates and
 * kubeconfigs stay valid.
 */
function loadOrCreateAuthority(folder: string): Authority {
  const file = join(folder, 'authority.json');
  if (existsSync(file)) return new Authority(JSON.parse(readFileSync(file, 'utf8')) as KeyPair);
  const authority = new Authority();
  writeFileSync(file, JSON.stringify(authority.pair), { mode: 0o600 });
  return authority;
}

async function requireBinaries(env: NodeJS.ProcessEnv): Promise<Binaries> {
  const found = await findBinaries({ env });
  if (found.binaries) return found.binaries;
  throw new Error(`no cluster can start: ${found.reason}`);
}

/** Starts the API server. Where another process took the free port in the meantime, it tries another port. */
async function startApiServer(
  processes: Processes,
  binaries: Binaries,
  files: components.ClusterFiles,
  authority: Authority,
  { apiServerFlags = [] }: ClusterOptions,
): Promise<string> {
  const name = 'kube-apiserver';
  for (;;) {
    const port = (await freePorts(1))[0]!;
    const server = `https://127.0.0.1:${port}`;
    const flags = components.apiServerFlags(files, port, apiServerFlags);
    processes.start(name, binaries[name], flags);
    const details = { server, authority: authority.pair, folder: files.inFolder('.'), version: '' };
    const transport = createTransport(new Identities(details).admin);
    const end = await until(
      'the API server is ready',
      async () => {
        const end = processes.describeExit(name) ?? processes.describeExit('etcd');
        if (end !== undefined) return end;
        // Only this API server has a certificate of this authority.
        const ready = await transport
          .open({ method: 'GET', path: '/readyz' })
          .catch(() => undefined);
        return ready && '';
      },
      { within },
    ).finally(() => transport.close());
    if (end === '') return server;
    if (!end.includes('address already in use')) throw new Error(end);
  }
}

function createTransport(credentials: Credentials): Transport {
  return new Transport(connectionTo(credentials), { qps: Infinity });
}

async function startControllers(
  details: ClusterDetails,
  processes: Processes,
  binaries: Binaries,
  files: components.ClusterFiles,
  authority: Authority,
  { controllerManager = false, scheduler = false, readyPods = false }: ClusterOptions,
): Promise<void> {
  const kubeconfig = (name: string, groups: readonly string[] = []) =>
    components.componentKubeconfig(files, authority, details.server, name, groups);
  const started: string[] = [];
  const start = (name: string, file: string, args: readonly string[]): void => {
    processes.start(name, file, args);
    started.push(name);
  };
  if (controllerManager) {
    const config = kubeconfig('system:kube-controller-manager');
    const flags = components.controllerManagerFlags(files, config);
    start('kube-controller-manager', binaries['kube-controller-manager'], flags);
  }
  if (scheduler) {
    const flags = components.schedulerFlags(kubeconfig('system:kube-scheduler'));
    start('kube-scheduler', binaries['kube-scheduler'], flags);
  }
  if (readyPods) {
    const config = kubeconfig(`system:node:${nodeName}`, ['system:nodes']);
    start('pretend-kubelet', process.execPath, [programFile('pretend-node'), config]);
  }
  const transport = createTransport(new Identities(details).admin);
  const client = new ApiClient(transport);
  const end = await until(
    'the controllers are ready',
    async () => {
      const end = started
        .map((name) => processes.describeExit(name))
        .find((how) => how !== undefined);
      if (end !== undefined) return end;
      // Pods need this service account, which the controller manager creates.
      const account = { namespace: 'default', name: 'default' };
      const ready =
        (!controllerManager || (await client.get(ServiceAccount, account).catch(ifGone))) &&
        (!readyPods || (await client.get(Node, { name: nodeName }).catch(ifGone)));
      return ready ? '' : undefined;
    },
    { within },
  ).finally(() => transport.close());
  if (end !== '') throw new Error(end);
}

/**
 * Finds free ports of 127.0.0.1. Another process can take them before they are used. All of them are
 * held until the last one is found, so they differ.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, 'close');
    }),
  );
  return ports;
}
