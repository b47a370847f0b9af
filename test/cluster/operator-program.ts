import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import type { Account } from './accounts.ts';

type Fields = Readonly<Record<string, unknown>>;

type Container = Fields & {
  readonly args: readonly string[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
};

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly optional?: boolean };
}

interface PodTemplate {
  readonly metadata: Fields;
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly Volume[];
  };
}

/** Returns the Deployment among the objects of a cluster. */
export const deploymentIn = (applied: readonly Body[]): Body =>
  applied.find(({ kind }) => kind === 'Deployment')!;

export const templateOf = (deployment: Body): PodTemplate =>
  (deployment as unknown as { spec: { template: PodTemplate } }).spec.template;

/** The program of a pod, run on this machine. */
export class RunningProgram {
  readonly #process: ChildProcess;
  #stderr = '';

  constructor(process: ChildProcess) {
    this.#process = process;
    process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
  }

  /** All of its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Waits for the log line with this sentence, and returns its fields. */
  async logged(sentence: string): Promise<Fields> {
    return until(`the operator logs that ${sentence}`, () => {
      if (this.#process.exitCode !== null) throw new Error(this.#stderr);
      const lines = this.#stderr.split('\n').filter((line) => line.endsWith('}'));
      return lines.map((line) => JSON.parse(line) as Fields).find(({ msg }) => msg === sentence);
    });
  }

  /** Waits until it ends by itself, and returns its exit code. */
  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    return this.#process.exitCode;
  }

  /** Stops it as Kubernetes stops a pod, and returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.#process.exitCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await ended;
    }
    return this.#process.exitCode;
  }
}

export interface InstalledProps {
  readonly cluster: ClusterAccess;
  /** The objects that dist installs in the cluster. */
  readonly applied: readonly Body[];
  /** The folder for its files. */
  readonly folder: string;
  readonly account: Account;
  /** The command in front of the arguments of the Deployment. */
  readonly command: readonly string[];
  /** @default the folder */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** @default - one with the token of the account */
  readonly kubeconfig?: string;
}

/** The path at which containers mount the Secrets of hooks. */
const MOUNTED = '/etc/tenantry-hooks';
const mountedIn = (folder: string): string => join(folder, 'hooks');

/** Writes the existing Secrets of the pod's volumes as files, as kubelet does at the mount paths of the container. */
export async function mountSecrets(
  { admin }: ClusterAccess,
  applied: readonly Body[],
  folder: string,
): Promise<void> {
  const deployment = deploymentIn(applied);
  const { containers, volumes } = templateOf(deployment).spec;
  for (const { name, mountPath } of containers[0].volumeMounts) {
    const { secret } = volumes.find((volume) => volume.name === name)!;
    if (!secret) continue;
    const { namespace } = deployment.metadata!;
    const reference = { apiVersion: 'v1', kind: 'Secret', name: secret.secretName, namespace };
    const { status, body } = await admin.get(reference);
    if (status === 404 && secret.optional) continue;
    const { data = {} } = body as unknown as { data?: Readonly<Record<string, string>> };
    const place = mountPath.replace(MOUNTED, mountedIn(folder));
    await mkdir(place, { recursive: true });
    for (const [key, value] of Object.entries(data)) {
      await writeFile(join(place, key), Buffer.from(value, 'base64'));
    }
  }
}

/**
 * Runs the arguments of the Deployment with the Platform of the ConfigMap, the current Secrets of hooks and ports of
 * this machine.
 */
export async function runInstalled(props: InstalledProps): Promise<RunningProgram> {
  const { cluster, applied, folder, account, command, cwd = folder, environment = {} } = props;
  const { kubeconfig = cluster.kubeconfigFile('operator', account.client) } = props;
  const { args } = templateOf(deploymentIn(applied)).spec.containers[0];
  const config = applied.find(({ metadata }) => metadata?.name === 'tenantry-platform')!;
  const { data } = config as unknown as { data: Readonly<Record<string, string>> };
  const platform = join(folder, 'platform.yaml');
  await writeFile(platform, data['platform.yaml']!);
  const own = args.map((one) => one.replace('/etc/tenantry/platform.yaml', platform));
  await mountSecrets(cluster, applied, folder);
  const here = [
    ...own,
    `--hook-credentials=${mountedIn(folder)}`,
    '--metrics-address=127.0.0.1:0',
    '--health-address=127.0.0.1:0',
  ];
  const [program = '', ...before] = command;
  const env = {
    ...environment,
    PATH: process.env['PATH'],
    KUBECONFIG: kubeconfig,
  };
  const stdio = ['ignore' as const, 'inherit' as const, 'pipe' as const];
  return new RunningProgram(spawn(program, [...before, ...here], { cwd, env, stdio }));
}

/** Returns the tenants that are not ready; false until the operator has compared all of them. */
export async function notReady(admin: Client): Promise<readonly string[] | false> {
  const { items } = await admin.list(Tenant);
  if (items.length === 0 || items.some(({ status }) => status === undefined)) return false;
  return items
    .filter(({ status }) => findCondition(status?.conditions, 'Ready')?.status !== 'True')
    .map(({ metadata: { name } }) => name);
}
