import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OPERATOR } from '../../constructs/operator/access.ts';
import { openClient, type OpenedClient } from '../../runtime/client/open-client.ts';
import { connectionTo } from '../../runtime/connection/explicit.ts';
import type { Cluster } from '../../testing/controlplane/cluster.ts';
import { Processes } from '../../testing/controlplane/processes.ts';
import { until } from '../../testing/waiting/until.ts';
import { root } from '../steps.ts';
import { applyFolders, type Applied } from './dist.ts';

/** The cluster of dist that is played. */
export const CLUSTER = 'fra1';

const program = join(root, 'cli', 'main.ts');
const platformFile = join(root, 'tenantry.yaml');

/** Milliseconds that the operator gets for anything, on a machine that does other things too. */
const WITHIN = 60_000;

/**
 * What the demo plays on: a control plane, and the operator as a process of its own. All that it writes lies in
 * the folder of the cluster. Supervisors hold the processes: they end with this one, however it ends.
 */
export class Stage {
  readonly cluster: Cluster;
  readonly client: OpenedClient;
  #operator: Processes | undefined;
  /** Of the operator that runs. */
  #home = '';
  #folders = 0;
  readonly #ending = new AbortController();

  constructor(cluster: Cluster) {
    this.cluster = cluster;
    this.client = openClient(cluster.admin.connection, { qps: Infinity });
  }

  /** The path of a kubeconfig of the administrator. */
  get kubeconfig(): string {
    return this.cluster.kubeconfigFile('admin');
  }

  /** All of dist, for the cluster that is played. */
  applyDist(): Promise<Applied> {
    return applyFolders(this.cluster.admin, join(root, 'dist', 'clusters', CLUSTER));
  }

  /** What asks as somebody else, as `kubectl --as` does. */
  as(user: string, fieldManager: string): OpenedClient {
    const connection = connectionTo({
      ...this.cluster.admin.credentials,
      impersonate: { user },
    });
    return openClient(connection, { qps: Infinity, fieldManager });
  }

  /** Starts the operator as its ServiceAccount, with the rights that dist gives it; returns when it has read the cluster. */
  async startOperator(platform = platformFile): Promise<void> {
    this.#home = this.#folder('operator');
    const account = await this.cluster.serviceAccount('tenantry-system', OPERATOR);
    const kubeconfig = this.cluster.kubeconfigFile(OPERATOR, account);
    account.close();
    this.#operator = new Processes(this.#home);
    const where = ['--cluster', CLUSTER, '--platform', platform, '--kubeconfig', kubeconfig];
    // It is the only one, and the one before may have been ended with its lease in hand.
    const alone = ['--leader-election', 'false', '--metrics-address', 'off'];
    const args = [program, 'operator', 'run', ...where, ...alone, '--health-address', 'off'];
    this.#operator.start(OPERATOR, process.execPath, args);
    await this.until('the operator runs', async () => this.#log.includes('the controller runs'));
  }

  /**
   * Does what a merge request does that lets the operator heal: renders dist from a Platform that says so, applies
   * what is the operator's, and starts it anew, as its Deployment would.
   */
  async allowHealing(): Promise<void> {
    const folder = this.#folder('healing');
    const platform = join(folder, 'tenantry.yaml');
    writeFileSync(platform, healing(readFileSync(platformFile, 'utf8')));
    const tenants = join(root, 'tenants');
    // The Platform reads definitions from there, and follows no link.
    cpSync(tenants, join(folder, 'tenants'), { recursive: true });
    const out = join(folder, 'dist');
    await promisify(execFile)(process.execPath, [program, 'synth', '--quiet', '--out', out], {
      cwd: folder,
      env: { ...process.env, TENANTRY_CACHE: 'off' },
      signal: this.#ending.signal,
      killSignal: 'SIGKILL',
    });
    await applyFolders(this.cluster.admin, join(out, 'clusters', CLUSTER), [
      'operator',
      'policies',
    ]);
    await this.#operator?.stop();
    await this.startOperator(platform);
  }

  /** Waits for what the operator is to bring about. It throws at once where the operator has ended. */
  async until<T>(
    what: string,
    ask: () => Promise<T>,
  ): Promise<Exclude<T, undefined | null | false>> {
    const look = async () => {
      const end = this.#operator?.describeExit(OPERATOR);
      if (end !== undefined) return { end };
      const answer = await ask();
      return isAnswer(answer) && { answer };
    };
    const seen = await until(what, look, { within: WITHIN }).catch((cause: unknown) => {
      throw new Error(
        `${(cause as Error).message}; the operator's last words:\n${this.#log.split('\n').slice(-5).join('\n')}`,
      );
    });
    if ('end' in seen) throw new Error(seen.end);
    return seen.answer;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.client.close();
    await this.#operator?.stop();
    await this.cluster.stop();
  }

  get #log(): string {
    return readFileSync(join(this.#home, `${OPERATOR}.log`), 'utf8').trimEnd();
  }

  #folder(name: string): string {
    const folder = join(this.cluster.details.folder, `${name}-${(this.#folders += 1)}`);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}

/** A Platform that lets its operator heal. */
function healing(text: string): string {
  const changed = text.replace(/^  operator:\n/m, '$&    driftPolicy: Heal\n');
  if (changed === text) throw new Error(`${platformFile} must have an operator, got none`);
  return changed;
}
