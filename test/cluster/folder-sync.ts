import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { untilServed } from './crds.ts';

/**
 * Syncs folders as Argo CD does with what Tenantry renders: server-side apply by force, then prune. `Prune=false` keeps
 * an object, and one with `Prune=confirm` stops the sync. An Application that is deleted leaves what it applied.
 *
 * test/argocd/ runs the real one. This one is small enough for a test that needs a cluster of its own.
 */
export class FolderSync {
  readonly #admin: Client;
  readonly #root: string;
  readonly #applied = new Map<string, ReadonlyMap<string, Body>>();

  /** @param root the folder of the repository, which contains what Applications name */
  constructor(admin: Client, root: string) {
    this.#admin = admin;
    this.#root = root;
  }

  /**
   * Syncs Argo CD's own objects of a cluster, then each Application of it, then those of its tenants.
   * @throws {Error} when Argo CD would report an error, or wait for a person
   */
  async run(cluster: string): Promise<void> {
    const root = 'dist/argocd';
    for (const folder of ['bootstrap', `clusters/${cluster}`, `projects/${cluster}`]) {
      await this.#sync(folder, this.#read(`${root}/${folder}`));
    }
    const files = this.#read(`${root}/clusters/${cluster}`);
    const names = files.filter(({ kind }) => kind === 'Application').map(sourcePath);
    const current = new Set(names);
    for (const path of this.#applied.keys()) {
      if (path.startsWith('dist/clusters/') && !path.includes('/tenants/') && !current.has(path)) {
        this.#applied.delete(path);
      }
    }
    for (const path of names.filter((one) => one.startsWith('dist/clusters/')).toSorted()) {
      await this.#sync(path, this.#read(path));
    }
    const tenants = `dist/clusters/${cluster}/tenants`;
    for (const name of readdirSync(join(this.#root, tenants))) {
      for (const part of ['', '/rbac', '/resources']) {
        const path = `${tenants}/${name}${part}`;
        await this.#sync(path, this.#read(path));
      }
    }
  }

  /** Reads the manifests of a folder, without its subfolders. */
  #read(path: string): Body[] {
    const folder = join(this.#root, path);
    if (!existsSync(folder)) throw new Error(`${path}: app path does not exist`);
    return readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .toSorted()
      .flatMap((name) => {
        const { documents, problems } = readDocuments(readFileSync(join(folder, name), 'utf8'));
        if (problems.length > 0) throw new Error(`${path}/${name}: ${problems[0]!.message}`);
        return documents.map(({ value }) => value as Body);
      });
  }

  async #sync(application: string, objects: readonly Body[]): Promise<void> {
    const before = this.#applied.get(application) ?? new Map<string, Body>();
    const now = new Map(objects.map((object) => [identity(object), object]));
    if (now.size === 0 && before.size > 0)
      throw new Error(`${application}: nothing is left to sync`);
    for (const rank of [isDefinition, isNamespace, isOther]) {
      for (const object of objects.filter(rank)) await this.#apply(object);
    }
    for (const [id, object] of before) if (!now.has(id)) await this.#prune(application, object);
    this.#applied.set(application, now);
  }

  async #apply(object: Body): Promise<void> {
    const options = { fieldManager: 'argocd-controller', force: true };
    // The API server's policies see a new namespace some milliseconds after it.
    await until(`${identity(object)} is applied`, async () => {
      const { status, body } = await this.#admin.apply(object, options);
      if (status > 201 && status !== 403) throw new Error(`${identity(object)}: ${body.message}`);
      return status <= 201;
    });
    if (isDefinition(object)) await untilServed(this.#admin, object);
  }

  async #prune(application: string, object: Body): Promise<void> {
    const reference = toReference(object);
    const { status, body } = await this.#admin.get(reference);
    if (status === 404) return;
    const options = body.metadata?.annotations?.['argocd.argoproj.io/sync-options'] ?? '';
    if (options.includes('Prune=false')) return;
    if (options.includes('Prune=confirm')) {
      throw new Error(`${application}: waiting for pruning confirmation of ${identity(object)}`);
    }
    await this.#admin.delete(reference);
    await until(`${identity(object)} is pruned`, async () => {
      return (await this.#admin.get(reference)).status === 404;
    });
  }
}

const isDefinition = ({ kind }: Body): boolean => kind === 'CustomResourceDefinition';
const isNamespace = ({ kind }: Body): boolean => kind === 'Namespace';
const isOther = (object: Body): boolean => !isDefinition(object) && !isNamespace(object);

const sourcePath = ({ spec }: Body): string => (spec as { source: { path: string } }).source.path;

export const identity = ({ apiVersion, kind, metadata }: Body): string =>
  `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`;
