import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '../../runtime/client/client.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { until } from '../../testing/waiting/until.ts';
import type { Account } from './accounts.ts';

type Fields = Readonly<Record<string, unknown>>;

interface PodTemplate {
  readonly metadata: Fields;
  readonly spec: { readonly containers: readonly [Fields & { readonly args: readonly string[] }] };
}

/** The Deployment among the objects of a cluster. */
export const deploymentIn = (applied: readonly Body[]): Body =>
  applied.find(({ kind }) => kind === 'Deployment')!;

export const templateOf = (deployment: Body): PodTemplate =>
  (deployment as unknown as { spec: { template: PodTemplate } }).spec.template;

/** The program of a pod, on this machine. */
export class RunningProgram {
  readonly #process: ChildProcess;
  #said = '';

  constructor(process: ChildProcess) {
    this.#process = process;
    process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
  }

  /** All of its standard error. */
  get said(): string {
    return this.#said;
  }

  /** What the line of the log with this sentence says. */
  async logged(sentence: string): Promise<Fields> {
    return until(`the operator says that ${sentence}`, () => {
      if (this.#process.exitCode !== null) throw new Error(this.#said);
      const lines = this.#said.split('\n').filter((line) => line.endsWith('}'));
      return lines.map((line) => JSON.parse(line) as Fields).find(({ msg }) => msg === sentence);
    });
  }

  /** As Kubernetes stops a pod. Gives the exit code. */
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
  /** What dist installs there. */
  readonly applied: readonly Body[];
  /** Where its files are written. */
  readonly folder: string;
  readonly account: Account;
  /** What comes before the arguments of the Deployment. */
  readonly command: readonly string[];
  /** @default the folder */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the arguments of the Deployment, with the Platform of the ConfigMap and ports of this machine. */
export async function runInstalled(props: InstalledProps): Promise<RunningProgram> {
  const { cluster, applied, folder, account, command, cwd = folder, environment = {} } = props;
  const { args } = templateOf(deploymentIn(applied)).spec.containers[0];
  const config = applied.find(({ metadata }) => metadata?.name === 'tenantry-platform')!;
  const { data } = config as unknown as { data: Readonly<Record<string, string>> };
  const platform = join(folder, 'platform.yaml');
  await writeFile(platform, data['platform.yaml']!);
  const own = args.map((one) => one.replace('/etc/tenantry/platform.yaml', platform));
  const here = [...own, '--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'];
  const [program = '', ...before] = command;
  const env = {
    ...environment,
    PATH: process.env['PATH'],
    KUBECONFIG: cluster.kubeconfigFile('operator', account.client),
  };
  const stdio = ['ignore' as const, 'inherit' as const, 'pipe' as const];
  return new RunningProgram(spawn(program, [...before, ...here], { cwd, env, stdio }));
}

/** The tenants that are not ready, once the operator has looked at all of them. */
export async function notReady(admin: Client): Promise<readonly string[] | false> {
  const { items } = await admin.list(Tenant);
  if (items.length === 0 || items.some(({ status }) => status === undefined)) return false;
  return items
    .filter(({ status }) => conditionOf(status?.conditions, 'Ready')?.status !== 'True')
    .map(({ metadata: { name } }) => name);
}
