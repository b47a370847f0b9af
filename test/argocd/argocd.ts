import { names } from '../../model/argocd/platform/objects.ts';
import { PARTS } from '../../model/layout.ts';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body, ObjectReference } from '@tenantry/testing/controlplane/objects';
import { Processes } from '@tenantry/testing/controlplane/processes';
import { waitFor } from '@tenantry/testing/waiting/until';
import { isSettled, type Application } from './application.ts';
import { startComponents } from './components.ts';
import { clusterSecret, type ClusterProps } from './cluster-secret.ts';
import { ARGOCD, install } from './installation.ts';
import type { ArgoCdProgram, ArgoCdPrograms } from './programs.ts';

const apiVersion = 'argoproj.io/v1alpha1';

/**
 * In milliseconds. Usually seconds are enough. Minutes pass if a sync failed and is retried with growing delays, or if
 * Argo CD is not notified of a change.
 */
const waiting = { every: 200, within: 600_000 };

export interface ArgoCdOptions {
  readonly programs: ArgoCdPrograms;
  /** Keys of the ConfigMap argocd-cm, in addition to those of Argo CD's manifests. @default - none */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Roles and bindings for the service account argocd-application-controller of namespace argocd.
   * @default - Argo CD's own, which grant everything
   */
  readonly rights?: readonly Body[];
  /** Whether there is the AppProject that allows everything. @default true */
  readonly defaultProject?: boolean;
  /** Seconds between two refreshes of Git and the clusters. @default 10 */
  readonly resync?: number;
}

/**
 * The real Argo CD in namespace `argocd` of a real cluster. Its application controller, ApplicationSet controller and
 * repo-server run as processes of this machine, with a redis in memory.
 *
 * It deploys to that cluster as `https://kubernetes.default.svc`. It has no API server and no pages.
 */
export class ArgoCd implements AsyncDisposable {
  readonly cluster: ClusterAccess;
  readonly #processes: Processes;
  readonly #folder: string;

  private constructor(cluster: ClusterAccess, processes: Processes, folder: string) {
    this.cluster = cluster;
    this.#processes = processes;
    this.#folder = folder;
  }

  /** Installs Argo CD and returns when it is ready, after some seconds. */
  static async start(cluster: ClusterAccess, options: ArgoCdOptions): Promise<ArgoCd> {
    const { programs, settings = {}, rights, defaultProject = true, resync = 10 } = options;
    const { manifests } = programs;
    await install(cluster, { manifests, settings, rights, defaultProject });
    for (;;) {
      const folder = mkdtempSync(join(tmpdir(), 'tenantry-argocd-'));
      const processes = new Processes(folder);
      const argoCd = new ArgoCd(cluster, processes, folder);
      try {
        const end = await startComponents({ cluster, programs, processes, folder, resync });
        if (end === undefined) return argoCd;
        if (!end.includes('address already in use')) throw new Error(end);
      } catch (error) {
        await argoCd.stop();
        throw error;
      }
      await argoCd.stop();
    }
  }

  /** The folder of its processes and logs. */
  get folder(): string {
    return this.#folder;
  }

  /** Applies further objects of Argo CD, as a user would. Those without a namespace are created in `argocd`. */
  async apply(...objects: readonly Body[]): Promise<void> {
    const options = { fieldManager: 'kubectl', fieldValidation: 'Strict', force: true } as const;
    for (const object of objects) {
      const metadata = { namespace: ARGOCD, ...object.metadata };
      const { status, body } = await this.cluster.admin.apply({ ...object, metadata }, options);
      if (status > 201) throw new Error(`${object.kind} ${metadata.name}: ${body.message}`);
    }
  }

  /**
   * Applies the Applications from which all others follow, as a user does once. It skips the settings next to them, by
   * which a Tenant is healthy after the operator observed it: no pods run here.
   */
  async bootstrap(dist: string): Promise<void> {
    const folder = join(dist, 'argocd/bootstrap/tenantry.yaml');
    await this.apply(...(loadObjects([folder]) as Body[]));
  }

  /** Returns an Application; undefined if there is none. */
  async application(name: string): Promise<Application | undefined> {
    const { status, body } = await this.cluster.admin.get(this.#reference('Application', name));
    if (status === 200) return body as Application;
    if (status === 404) return undefined;
    throw new Error(`no Application ${name}: ${body.message}`);
  }

  /** Returns all Applications by name. */
  async applications(): Promise<Map<string, Application>> {
    const { status, body } = await this.cluster.admin.list({
      apiVersion,
      kind: 'Application',
      namespace: ARGOCD,
    });
    if (status !== 200) throw new Error(`no Applications: ${body.message}`);
    return new Map((body.items ?? []).map((one) => [one.metadata!.name!, one as Application]));
  }

  /**
   * Waits until an Application is Synced and Healthy, without a running or failed operation, at the given revision if
   * any.
   */
  untilSettled(name: string, revision?: string): Promise<Application> {
    const words = revision === undefined ? '' : ` at ${revision}`;
    return this.untilApplication(`it is Synced and Healthy${words}`, name, (one) =>
      isSettled(one, revision),
    );
  }

  /** The same for all Applications of a tenant. @param name the name of the one for its namespaces: `eu1.shop` */
  async untilTenantSettled(name: string, revision?: string): Promise<void> {
    for (const one of partsOf(name)) await this.untilSettled(one, revision);
  }

  /** @param what completes "waiting until ..." */
  untilApplication(
    what: string,
    name: string,
    isSo: (application: Application) => boolean,
  ): Promise<Application> {
    const look = async () => {
      const seen = await this.application(name);
      return { seen, answer: seen && isSo(seen) && seen };
    };
    return waitFor(`${what}: Application ${name}`, look, waiting);
  }

  /** Waits until there is no such Application. */
  async untilGone(name: string): Promise<void> {
    const look = async () => {
      const seen = await this.application(name);
      return { seen, answer: seen === undefined };
    };
    await waitFor(`Application ${name} is gone`, look, waiting);
  }

  /**
   * Requests a refresh of Git, as a webhook would, for all ApplicationSets and for all or some Applications. `hard`
   * also discards rendered manifests. The projects of tenants come first, because an ApplicationSet waits three minutes
   * for a missing project.
   * @param names the name for the namespaces of a tenant (`eu1.shop`) selects all Applications of that tenant
   */
  async refresh(names?: readonly string[], how: 'normal' | 'hard' = 'normal'): Promise<void> {
    for (const one of (await this.applications()).keys()) {
      if (one.startsWith('tenantry-projects-')) await this.#looked(one);
    }
    const sets = { apiVersion, kind: 'ApplicationSet', namespace: ARGOCD };
    const { body } = await this.cluster.admin.list(sets);
    for (const { metadata } of body.items ?? []) {
      const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' };
      await this.#annotate(this.#reference('ApplicationSet', metadata!.name!), annotations);
    }
    for (const one of names?.flatMap(partsOf) ?? (await this.applications()).keys()) {
      const annotations = { 'argocd.argoproj.io/refresh': how };
      await this.#annotate(this.#reference('Application', one), annotations);
    }
  }

  /** Requests a refresh of Git and the cluster, and returns when it has happened. */
  async refreshed(name: string, how: 'normal' | 'hard' = 'normal'): Promise<void> {
    await this.#annotate(this.#reference('Application', name), {
      'argocd.argoproj.io/refresh': how,
    });
    await this.untilApplication(
      'it has looked',
      name,
      ({ metadata }) => metadata?.annotations?.['argocd.argoproj.io/refresh'] === undefined,
    );
  }

  /** Removes the finalizers of an Application, so that it is deleted without its objects. */
  async releaseObjects(name: string): Promise<void> {
    const finalizers = { metadata: { finalizers: null } };
    const { status, body } = await this.cluster.admin.patch(
      this.#reference('Application', name),
      finalizers,
    );
    if (status !== 200) throw new Error(body.message);
  }

  /** Approves the deletion of the objects of an Application that waits for an approval. */
  approveDeletion(name: string): Promise<void> {
    const now = new Date().toISOString();
    return this.#annotate(this.#reference('Application', name), {
      'argocd.argoproj.io/deletion-approved': now,
    });
  }

  /**
   * Adds a cluster by a Secret, as `argocd cluster add` does. Argo CD acts there as it does on its own cluster: as the
   * service account argocd-application-controller, with all rights.
   */
  async addCluster(props: ClusterProps): Promise<void> {
    await this.apply(await clusterSecret(props));
  }

  /** Returns the complete log of one of its programs. */
  log(program: ArgoCdProgram): string {
    return readFileSync(join(this.#folder, `${program}.log`), 'utf8');
  }

  /** Ends its processes. Its changes of the cluster stay. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Returns when Argo CD has read Git and applied the result; pruned objects may stay for a while. */
  async #looked(name: string): Promise<void> {
    await this.refreshed(name);
    await this.untilApplication(
      'it has synced',
      name,
      ({ operation, status }) =>
        operation === undefined &&
        status?.resources?.every((one) => one.status === 'Synced' || one.requiresPruning) !== false,
    );
  }

  #reference(kind: string, name: string): ObjectReference {
    return { apiVersion, kind, namespace: ARGOCD, name };
  }

  /** An object that was deleted in the meantime needs no annotation. */
  async #annotate(reference: ObjectReference, annotations: object): Promise<void> {
    const { status, body } = await this.cluster.admin.patch(reference, {
      metadata: { annotations },
    });
    if (status >= 300 && status !== 404) throw new Error(body.message);
  }
}

/** Returns all Applications of a tenant if the name is the one for its namespaces; otherwise the name alone. */
export function partsOf(name: string): string[] {
  const [cluster = '', tenant = '', ...more] = name.split('.');
  if (tenant === '' || more.length > 0) return [name];
  return PARTS.map((part) => names.tenant(part, cluster, tenant));
}
