import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OPERATOR } from '../../model/operator/access.ts';
import { openClient, type OpenedClient } from '@tenantry/runtime/client/open-client';
import { connectionTo } from '@tenantry/runtime/connection/connection';
import type { Cluster } from '@tenantry/testing/controlplane/cluster';
import { Processes } from '@tenantry/testing/controlplane/processes';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../steps.ts';
import { applyFolders, type Applied } from './dist.ts';

/** The cluster of dist that the demo runs. */
export const CLUSTER = 'fra1';

const program = join(root, 'cli', 'main.ts');
const platformFile = join(root, 'tenantry.yaml');

/** The timeout for anything that the operator does, in milliseconds, on a busy machine. */
const WITHIN = 60_000;

/**
 * The environment of the demo: a control plane, and the operator in a process of its own. All files are
 * in the folder of the cluster. Supervisors end the processes together with this one, for whatever
 * reason it ends.
 */
export class Stage {
  readonly cluster: Cluster;
  readonly client: OpenedClient;
  #operator: Processes | undefined;
  /** The folder of the running operator. */
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

  /** Applies all of dist for this cluster. */
  applyDist(): Promise<Applied> {
    return applyFolders(this.cluster.admin, join(root, 'dist', 'clusters', CLUSTER));
  }

  /** Returns a client that impersonates a user, as `kubectl --as` does. */
  as(user: string, fieldManager: string): OpenedClient {
    const connection = connectionTo({
      ...this.cluster.admin.credentials,
      impersonate: { user },
    });
    return openClient(connection, { qps: Infinity, fieldManager });
  }

  /**
   * Starts the operator as its ServiceAccount, with the rights from dist. Returns when the operator has
   * read the cluster.
   */
  async startOperator(platform = platformFile): Promise<void> {
    this.#home = this.#folder('operator');
    const account = await this.cluster.serviceAccount('tenantry-system', OPERATOR);
    const kubeconfig = this.cluster.kubeconfigFile(OPERATOR, account);
    account.close();
    this.#operator = new Processes(this.#home);
    const where = ['--cluster', CLUSTER, '--platform', platform, '--kubeconfig', kubeconfig];
    // It is the only replica, and the one before may have been ended while it held the lease.
    const alone = ['--leader-election', 'false', '--metrics-address', 'off'];
    const args = [program, 'serve', ...where, ...alone, '--health-address', 'off'];
    this.#operator.start(OPERATOR, process.execPath, args);
    await this.until('the operator runs', async () => this.#log.includes('the controller runs'));
  }

  /**
   * Does what a merge request that enables healing does. It renders dist from a changed Platform,
   * applies the operator's objects, and restarts the operator as its Deployment would.
   */
  async allowHealing(): Promise<void> {
    const folder = this.#folder('healing');
    const platform = join(folder, 'tenantry.yaml');
    writeFileSync(platform, healing(readFileSync(platformFile, 'utf8')));
    const tenants = join(root, 'tenants');
    // The Platform reads definitions from there, and does not follow links.
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

  /** Waits for a result of the operator. Throws at once where the operator has ended. */
  async until<T>(
    what: string,
    read: () => Promise<T>,
  ): Promise<Exclude<T, undefined | null | false>> {
    const check = async () => {
      const end = this.#operator?.describeExit(OPERATOR);
      if (end !== undefined) return { end };
      const answer = await read();
      return isAnswer(answer) && { answer };
    };
    const seen = await until(what, check, { within: WITHIN }).catch((cause: unknown) => {
      throw new Error(
        `${(cause as Error).message}; the end of the operator's log:\n${this.#log.split('\n').slice(-5).join('\n')}`,
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

/** Returns a Platform that lets its operator heal. */
function healing(text: string): string {
  const changed = text.replace(/^  operator:\n/m, '$&    driftPolicy: Heal\n');
  if (changed === text) throw new Error(`${platformFile} must have an operator, got none`);
  return changed;
}
