import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessRule } from '@tenantry/kube/access';
import type { Client } from '@tenantry/runtime/client/client';
import { openClient, type OpenedClient } from '@tenantry/runtime/client/open-client';
import { type Connection, connectionTo } from '@tenantry/runtime/connection/connection';
import { ifExists } from '@tenantry/runtime/errors/reaction';
import { Namespace, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { AuditLog, type AuditEntry } from './audit-log.ts';
import { Client as RawClient, requestToken } from './client.ts';
import { grantAccess, type ClusterUser, type Subject } from './cluster-user.ts';
import { Identities, type Credentials, type ClusterDetails } from './credentials.ts';
import { applyObject, loadObjects, type Manifest } from './manifests.ts';
import type { Body } from './objects.ts';

/** The groups and the rights of a user. */
export interface UserOptions {
  /** @default - none but system:authenticated, which the API server adds */
  readonly groups?: readonly string[] | undefined;
  /** Roles that grant exactly these rights are created, in namespaces too. @default - nothing */
  readonly access?: readonly AccessRule[] | undefined;
}

/** The name and the namespace of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** A real API server with its own etcd, for tests: any number of them, side by side. */
export interface ControlPlane extends AsyncDisposable {
  /** 'https://127.0.0.1:41234' */
  readonly server: string;
  /** '1.36.3' */
  readonly version: string;
  /** The connection of the administrator, who may do everything (system:masters). */
  readonly connection: Connection;
  /** A client of the administrator, without a rate limit; it writes as the field manager `test`. */
  readonly client: Client;
  /** The path of a kubeconfig file of the administrator, for kubectl and other programs. */
  readonly kubeconfig: string;
  /**
   * Applies objects in their order (server-side, with force), and returns when the definitions among
   * them are served.
   * @throws {InvalidInput} for files that are not YAML
   * @throws {Error} where the API server rejects an object, also for a field that its kind does not
   * have
   */
  apply(...manifests: readonly Manifest[]): Promise<void>;
  /**
   * Adds a user with a client certificate, as kubeadm's users have. The user has exactly the given
   * rights, which are in force when this returns. Call it once for each name.
   */
  addUser(name: string, options?: UserOptions): Promise<ClusterUser>;
  /**
   * Adds a service account with a token, as the pod of an operator has it. The account and its
   * namespace are created where they do not exist. Pass the `access` of a controller or a `Manager`:
   *
   *     const { connection } = await cluster.addServiceAccount(name, { access: manager.access });
   */
  addServiceAccount(
    name: ServiceAccountName,
    options?: Pick<UserOptions, 'access'>,
  ): Promise<ClusterUser>;
  /**
   * Returns all that the API server has logged so far, oldest first: who requested what, the body of
   * writes, and the answer. The API server writes an entry after its answer, so poll with `until`.
   */
  auditLog(): AuditEntry[];
  /**
   * Makes it available to `sharedControlPlane`, in this process and in processes that it starts from
   * now on (by TENANTRY_CONTROL_PLANE in the environment).
   */
  share(): void;
  /**
   * Closes the clients. Where this process started the control plane, it also ends its processes and
   * removes its data. `await using` calls it. When this process ends, for whatever reason, the
   * processes that it started end too.
   */
  stop(): Promise<void>;
}

/** A control plane that can be used from any process. */
export class ConnectedControlPlane implements ControlPlane {
  readonly connection: Connection;
  readonly client: OpenedClient;
  readonly kubeconfig: string;
  readonly #details: ClusterDetails;
  readonly #log: AuditLog;
  readonly #identities: Identities;
  readonly #raw: RawClient;
  readonly #clients: OpenedClient[] = [];
  readonly #end: () => Promise<void>;

  /** `end`: what `stop` does in addition. */
  constructor(details: ClusterDetails, end: () => Promise<void>) {
    this.#details = details;
    this.#log = new AuditLog(details.folder);
    this.#identities = new Identities(details);
    this.#end = end;
    const { admin } = this.#identities;
    this.#raw = new RawClient(admin);
    this.connection = connectionTo(admin);
    this.client = this.#open(this.connection);
    this.kubeconfig = this.#identities.kubeconfigFile('admin', admin);
  }

  get server(): string {
    return this.#details.server;
  }

  get version(): string {
    return this.#details.version;
  }

  async apply(...manifests: readonly Manifest[]): Promise<void> {
    for (const object of loadObjects(manifests)) await applyObject(this.#raw, object as Body);
  }

  async addUser(name: string, { groups = [], access }: UserOptions = {}): Promise<ClusterUser> {
    const of = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name };
    const subject = { user: name, groups, of, roleName: `user:${encodeFileName(name)}` };
    return this.#granted(subject, this.#identities.user(name, groups), access);
  }

  async addServiceAccount(
    { namespace, name }: ServiceAccountName,
    { access }: Pick<UserOptions, 'access'> = {},
  ): Promise<ClusterUser> {
    await this.client.create(Namespace, { metadata: { name: namespace } }).catch(ifExists);
    await this.client.create(ServiceAccount, { metadata: { namespace, name } }).catch(ifExists);
    const token = await requestToken(this.#raw, namespace, name);
    const user = `system:serviceaccount:${namespace}:${name}`;
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    const of = { kind: 'ServiceAccount', namespace, name };
    const subject = { user, groups, of, roleName: `serviceaccount:${namespace}:${name}` };
    return this.#granted(subject, this.#identities.withToken(token), access);
  }

  auditLog(): AuditEntry[] {
    return this.#log.entries();
  }

  share(): void {
    publishCluster(this.#details);
  }

  async stop(): Promise<void> {
    this.#raw.close();
    for (const client of this.#clients) client.close();
    await this.#end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #granted(
    subject: Subject,
    credentials: Credentials,
    access: readonly AccessRule[] = [],
  ): Promise<ClusterUser> {
    await grantAccess(this.client, subject, access, (object) =>
      applyObject(this.#raw, object as Body),
    );
    const connection = connectionTo(credentials);
    const client = this.#open(connection);
    const kubeconfig = this.#identities.kubeconfigFile(encodeFileName(subject.user), credentials);
    return { name: subject.user, connection, client, kubeconfig };
  }

  #open(connection: Connection): OpenedClient {
    const client = openClient(connection, {
      qps: Infinity,
      userAgent: 'test',
      fieldManager: 'test',
    });
    this.#clients.push(client);
    return client;
  }
}

/**
 * Encodes a name for a role or a file: characters other than letters, digits, `.`, `-`, `_`, `:` and
 * `@` become hex.
 */
const encodeFileName = (name: string): string =>
  name.replaceAll(/[^\w.:@-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`);

/** The variable with the file by which other processes find a control plane. */
const variable = 'TENANTRY_CONTROL_PLANE';

/** Makes a cluster available to this process, and to processes that it starts. */
function publishCluster(details: ClusterDetails): void {
  const file = join(details.folder, 'details.json');
  writeFileSync(file, JSON.stringify(details), { mode: 0o600 });
  process.env[variable] = file;
}

/**
 * Returns the published cluster, or undefined where there is none.
 * @throws {Error} where it has ended
 */
export function findPublishedCluster(): ClusterDetails | undefined {
  const file = process.env[variable];
  if (!file) return undefined;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClusterDetails;
  throw new Error(`${variable} must name a control plane that runs, got ${file}, which is gone`);
}
