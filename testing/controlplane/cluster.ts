import { ClusterAccess } from './access.ts';
import { launchCluster, type ClusterOptions, type LaunchedCluster } from './launch.ts';

export type { ClusterOptions } from './launch.ts';

/** A cluster that this process started. It goes away with the process, or with `stop`. */
export class Cluster extends ClusterAccess implements AsyncDisposable {
  readonly #launched: LaunchedCluster;

  constructor(launched: LaunchedCluster) {
    super(launched.details);
    this.#launched = launched;
  }

  /** Ends its processes. Its folder is removed, and all of its data, unless it is to stay. */
  async stop(): Promise<void> {
    this.admin.close();
    await this.#launched.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Starts what is asked for, and returns when all of it is ready: the API server with etcd at least. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return new Cluster(await launchCluster(options));
}
