import { ClusterAccess } from './access.ts';
import { launchCluster, type ClusterOptions, type LaunchedCluster } from './launch.ts';

export type { ClusterOptions } from './launch.ts';

/** A cluster that this process started. It ends with the process, or with `stop`. */
export class Cluster extends ClusterAccess implements AsyncDisposable {
  readonly #launched: LaunchedCluster;

  constructor(launched: LaunchedCluster) {
    super(launched.details);
    this.#launched = launched;
  }

  /** Ends its processes, and removes its folder with all data unless the folder is to be kept. */
  async stop(): Promise<void> {
    this.admin.close();
    await this.#launched.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Starts a cluster and returns when all requested parts are ready: at least the API server with etcd. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return new Cluster(await launchCluster(options));
}
