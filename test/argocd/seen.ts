import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { waitFor, until } from '@tenantry/testing/waiting/until';
import { isAllowed } from '../cluster/accounts.ts';

const people = ['alice', 'bob'];

/** What users see and do on the cluster. */
export class SeenCluster {
  readonly #cluster: ClusterAccess;

  constructor(cluster: ClusterAccess) {
    this.#cluster = cluster;
  }

  /**
   * Waits until exactly these of alice and bob may change objects in a namespace. The API server observes bindings with
   * a delay.
   */
  async expectMay(namespace: string, users: readonly string[]): Promise<void> {
    const who = users.length === 0 ? 'nobody' : users.join(' and ');
    const look = async () => {
      const seen = await this.#whoMay(namespace);
      return { seen, answer: isDeepStrictEqual(seen, users) };
    };
    await waitFor(`${who} may change what is in ${namespace}`, look, {});
  }

  /** Creates undeclared objects of a team in its namespace. */
  async work(user: string, namespace: string): Promise<void> {
    const client = this.#cluster.user(user);
    const metadata = { name: 'ledger', namespace };
    const { status } = await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    client.close();
    expect(status).toBe(201);
  }

  /** Returns the namespaces with that prefix, each with its objects that are not access. */
  async kept(prefix: string): Promise<Record<string, readonly string[]>> {
    const all = await this.#list('v1', 'Namespace');
    const names = all
      .map(({ metadata }) => metadata!.name!)
      .filter((one) => one.startsWith(prefix));
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await this.#contents(name)] as const)),
    );
  }

  /** Deletes a namespace as a user does with kubectl. */
  async deleteNamespace(name: string): Promise<void> {
    const reference = { apiVersion: 'v1', kind: 'Namespace', name };
    await this.#cluster.admin.delete(reference);
    await until(`namespace ${name} is gone`, async () => {
      return (await this.#cluster.admin.get(reference)).status === 404;
    });
  }

  async pods(namespace: string): Promise<unknown> {
    const quotas = await this.#list('v1', 'ResourceQuota', namespace);
    const quota = quotas.find(({ metadata }) => metadata!.name === 'tenant-quota');
    return (quota?.spec?.['hard'] as Record<string, string> | undefined)?.['pods'];
  }

  async tenants(): Promise<string[]> {
    const all = await this.#list('tenantry.dev/v1alpha1', 'Tenant');
    return all.map(({ metadata }) => metadata!.name!);
  }

  /** Returns the names of the role bindings in a namespace that have a tenant's label. */
  async bindings(namespace: string): Promise<string[]> {
    const all = await this.#list('rbac.authorization.k8s.io/v1', 'RoleBinding', namespace);
    return all.map(({ metadata }) => metadata!.name!).toSorted();
  }

  /** Returns every deletion of a Namespace so far, with the user who requested it. */
  deletions(): string[] {
    const asked = this.#cluster
      .auditLog()
      .filter(({ verb, objectRef }) => verb === 'delete' && objectRef?.resource === 'namespaces')
      .map(({ user, objectRef }) => `${objectRef?.name} by ${user.username}`);
    return [...new Set(asked)];
  }

  async #whoMay(namespace: string): Promise<string[]> {
    const asked = { group: '', resource: 'configmaps', verb: 'update', namespace } as const;
    const may = await Promise.all(people.map((user) => isAllowed(this.#cluster, user, asked)));
    return people.filter((_, i) => may[i]);
  }

  async #contents(namespace: string): Promise<string[]> {
    const kinds = ['ConfigMap', 'LimitRange', 'ResourceQuota'];
    const lists = await Promise.all(kinds.map((kind) => this.#list('v1', kind, namespace)));
    return lists
      .flat()
      .filter(({ metadata }) => metadata?.name !== 'kube-root-ca.crt')
      .map(({ metadata }) => `${metadata?.name} ${metadata?.uid}`);
  }

  async #list(apiVersion: string, kind: string, namespace?: string): Promise<Body[]> {
    const { body } = await this.#cluster.admin.list({ apiVersion, kind, namespace });
    return (body.items ?? []).map((one) => ({ kind, ...one }));
  }
}
