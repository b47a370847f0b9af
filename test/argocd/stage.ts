import { join } from 'node:path';
import { readPlatform } from '../../apps/platform-file.ts';
import { IN_CLUSTER_SERVER, resolveServer } from '../../model/argocd-names.ts';
import { formatProblem } from '@tenantry/kube/problem';
import type { Binaries } from '@tenantry/testing/controlplane/programs';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { serveForeignKinds } from '../cluster/foreign-kinds.ts';
import { Addresses } from './addresses.ts';
import { ArgoCd } from './argocd.ts';
import { GitRepository } from './git-repository.ts';
import type { ArgoCdPrograms } from './programs.ts';

export interface StageOptions {
  readonly programs: ArgoCdPrograms;
  readonly binaries: Binaries;
  /** The folder that has `tenantry.yaml` and `dist`. */
  readonly project: string;
  /** Seconds between two refreshes of Git and the clusters. @default 10 */
  readonly resync?: number;
  /** Receives one line at a time. @default - lines are dropped */
  readonly say?: (line: string) => void;
}

/**
 * A project as its company runs it: a control plane for each of its clusters, Argo CD on the first of them, and a Git
 * repository with `dist/`. The clusters are reached under their declared addresses. Only the address of the repository
 * differs in the committed files from what is rendered.
 */
export class Stage implements AsyncDisposable {
  readonly git: GitRepository;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly argoCd: ArgoCd;
  readonly #dist: string;
  readonly #repoURL: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    { git, clusters, argoCd }: Pick<Stage, 'git' | 'clusters' | 'argoCd'>,
    dist: string,
    repoURL: string,
    stack: AsyncDisposableStack,
  ) {
    this.git = git;
    this.clusters = clusters;
    this.argoCd = argoCd;
    this.#dist = dist;
    this.#repoURL = repoURL;
    this.#stack = stack;
  }

  /** Returns when Argo CD is ready. It then knows the clusters and has nothing to sync yet. */
  static async start(options: StageOptions): Promise<Stage> {
    const { programs, binaries, project, resync = 10, say = () => {} } = options;
    const dist = join(project, 'dist');
    const { clusters: declared, repoURL } = platformOf(project);
    await using starting = new AsyncDisposableStack();
    const git = starting.use(new GitRepository());
    const addresses = starting.use(await Addresses.open());
    const clusters = new Map<string, Cluster>();
    const whole = { binaries, controllerManager: true, scheduler: true, readyPods: true };
    for (const { name, server } of declared) {
      say(`cluster ${name} starts`);
      const cluster = starting.use(await startCluster(whole));
      await serveForeignKinds(cluster.admin, loadObjects([join(dist, 'clusters', name)]) as Body[]);
      addresses.set(server, cluster.server);
      clusters.set(name, cluster);
    }
    say('Argo CD starts');
    const [first] = clusters.values();
    const argoCd = starting.use(await ArgoCd.start(first!, { programs, resync }));
    for (const { name, server } of declared) {
      // Argo CD knows its own cluster.
      if (server === IN_CLUSTER_SERVER) continue;
      const cluster = clusters.get(name)!;
      await argoCd.addCluster({ name, server, cluster, proxy: addresses.proxy });
    }
    const stack = starting.move();
    return new Stage({ git, clusters, argoCd }, dist, repoURL, stack);
  }

  /** Commits the current `dist/` and returns the revision. */
  commit(message: string): string {
    return this.git.commitFolder(message, this.#dist, 'dist', (path, text) =>
      path.startsWith('argocd/') ? text.replaceAll(this.#repoURL, this.git.url) : text,
    );
  }

  /** Applies the Applications from which all others follow, as a user does once. */
  bootstrap(): Promise<void> {
    return this.argoCd.bootstrap(join(this.git.folder, 'dist'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** Reads the clusters with their addresses, and the repository of the output, from the platform of a project. */
function platformOf(project: string) {
  const { platform, problems } = readPlatform(join(project, 'tenantry.yaml'), { mustExist: true });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  const { argocdSource } = platform;
  if (!argocdSource) throw new Error('tenantry.yaml must have spec.argocd.source, got none');
  // A platform with a source has the address of each cluster.
  const clusters = platform.clusters.map((one) => ({
    name: one.name,
    server: resolveServer(one)!,
  }));
  return { clusters, repoURL: argocdSource.repoURL };
}
