import { names } from '../../constructs/argocd/platform/names.ts';
import { PARTS } from '../../constructs/parts.ts';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import { loadObjects } from '../../testing/controlplane/manifests.ts';
import type { Body, ObjectReference } from '../../testing/controlplane/objects.ts';
import { Processes } from '../../testing/controlplane/processes.ts';
import { waitFor } from '../../testing/waiting/until.ts';
import { isSettled, type Application } from './application.ts';
import { startComponents } from './components.ts';
import { clusterSecret, type ClusterProps } from './cluster-secret.ts';
import { ARGOCD, install } from './installation.ts';
import type { ArgoCdProgram, ArgoCdPrograms } from './programs.ts';

const apiVersion = 'argoproj.io/v1alpha1';

/**
 * Milliseconds. What takes seconds takes minutes where a sync failed, which is tried again later and later, or where
 * Argo CD sees by itself alone that something is new.
 */
const waiting = { every: 200, within: 600_000 };

export interface ArgoCdOptions {
  readonly programs: ArgoCdPrograms;
  /** Keys of ConfigMap argocd-cm, besides those that Argo CD's manifests have. @default - none */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Roles and bindings for the service account argocd-application-controller of namespace argocd.
   * @default - Argo CD's own, which may do everything
   */
  readonly rights?: readonly Body[];
  /** The AppProject that allows everything. @default true */
  readonly defaultProject?: boolean;
  /** Seconds between two looks at Git and the clusters. @default 10 */
  readonly resync?: number;
}

/**
 * The real Argo CD: its application controller, ApplicationSet controller and repo-server as processes of
 * this machine, with a redis in memory, in namespace `argocd` of a real cluster. It deploys to that cluster
 * as to `https://kubernetes.default.svc`. It has no API server and no pages.
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

  /** Installs it and returns when it is ready, after some seconds. */
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

  /** Where its processes write, and where their logs are. */
  get folder(): string {
    return this.#folder;
  }

  /**
   * Applies objects of Argo CD's, as a person would, beside what it was installed with. Those without a namespace come
   * into `argocd`.
   */
  async apply(...objects: readonly Body[]): Promise<void> {
    const options = { fieldManager: 'kubectl', fieldValidation: 'Strict', force: true } as const;
    for (const object of objects) {
      const metadata = { namespace: ARGOCD, ...object.metadata };
      const { status, body } = await this.cluster.admin.apply({ ...object, metadata }, options);
      if (status > 201) throw new Error(`${object.kind} ${metadata.name}: ${body.message}`);
    }
  }

  /**
   * What a person does once, to begin: applies the Applications from which all others follow. Not the settings beside
   * them, by which a Tenant is healthy when the operator has looked at it: where its pods are, nothing runs.
   */
  async bootstrap(dist: string): Promise<void> {
    const folder = join(dist, 'argocd/bootstrap/tenantry.yaml');
    await this.apply(...(loadObjects([folder]) as Body[]));
  }

  /** Undefined where there is none. */
  async application(name: string): Promise<Application | undefined> {
    const { status, body } = await this.cluster.admin.get(this.#reference('Application', name));
    if (status === 200) return body as Application;
    if (status === 404) return undefined;
    throw new Error(`no Application ${name}: ${body.message}`);
  }

  /** All of them, by name. */
  async applications(): Promise<Map<string, Application>> {
    const { status, body } = await this.cluster.admin.list({
      apiVersion,
      kind: 'Application',
      namespace: ARGOCD,
    });
    if (status !== 200) throw new Error(`no Applications: ${body.message}`);
    return new Map((body.items ?? []).map((one) => [one.metadata!.name!, one as Application]));
  }

  /** Waits until it is Synced and Healthy, and no operation runs or failed; at the revision, if one is given. */
  untilSettled(name: string, revision?: string): Promise<Application> {
    const words = revision === undefined ? '' : ` at ${revision}`;
    return this.untilApplication(`it is Synced and Healthy${words}`, name, (one) =>
      isSettled(one, revision),
    );
  }

  /** The same for all Applications of a tenant. @param name that of its namespaces: `eu1.shop` */
  async untilTenantSettled(name: string, revision?: string): Promise<void> {
    for (const one of partsOf(name)) await this.untilSettled(one, revision);
  }

  /** @param what completes "it must be so that ..." */
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
   * Tells it to look at Git now, as a webhook would: all ApplicationSets, and all Applications or some. `hard` renders
   * what it has rendered before. The projects of tenants come first: an ApplicationSet looks again after three minutes
   * where a project is not there yet.
   * @param names those of namespaces of tenants (`eu1.shop`) stand for all Applications of these
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

  /** Lets it look at Git and the cluster, and returns when it has. */
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

  /** Takes its finalizers off, so that it goes without what it holds. */
  async releaseObjects(name: string): Promise<void> {
    const finalizers = { metadata: { finalizers: null } };
    const { status, body } = await this.cluster.admin.patch(
      this.#reference('Application', name),
      finalizers,
    );
    if (status !== 200) throw new Error(body.message);
  }

  /** What a person says to an Application that waits with the deletion of what it holds. */
  approveDeletion(name: string): Promise<void> {
    const now = new Date().toISOString();
    return this.#annotate(this.#reference('Application', name), {
      'argocd.argoproj.io/deletion-approved': now,
    });
  }

  /**
   * Declares a cluster to it by a Secret, as `argocd cluster add` does. It acts there as it does here: as the
   * service account argocd-application-controller, which may do everything.
   */
  async addCluster(props: ClusterProps): Promise<void> {
    await this.apply(await clusterSecret(props));
  }

  /** All that one of its programs has logged. */
  log(program: ArgoCdProgram): string {
    return readFileSync(join(this.#folder, `${program}.log`), 'utf8');
  }

  /** Ends its processes. What it did to the cluster stays. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Returns when it has looked at Git, and applied what it found: what it prunes may stay for a while. */
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

  /** One that is gone meanwhile needs none. */
  async #annotate(reference: ObjectReference, annotations: object): Promise<void> {
    const { status, body } = await this.cluster.admin.patch(reference, {
      metadata: { annotations },
    });
    if (status >= 300 && status !== 404) throw new Error(body.message);
  }
}

/** The Applications of a tenant, if it is the name of that of its namespaces; else itself alone. */
export function partsOf(name: string): string[] {
  const [cluster = '', tenant = '', ...more] = name.split('.');
  if (tenant === '' || more.length > 0) return [name];
  return PARTS.map((part) => names.tenant(part, cluster, tenant));
}
