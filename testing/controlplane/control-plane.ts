import type { AccessRule } from '../../kube/access.ts';
import type { Client } from '../../runtime/client/client.ts';
import { openClient, type OpenedClient } from '../../runtime/client/open-client.ts';
import type { Connection } from '../../runtime/connection/connection.ts';
import { connectionTo } from '../../runtime/connection/explicit.ts';
import { ifExists } from '../../runtime/errors/expected.ts';
import { Namespace, ServiceAccount } from '../../runtime/kinds/core.ts';
import { AuditLog, type AuditEntry } from './audit-log.ts';
import { Client as RawClient } from './client.ts';
import { grantAccess, type ClusterUser, type Subject } from './cluster-user.ts';
import type { Credentials } from './credentials.ts';
import { Identities, type ClusterDetails } from './identities.ts';
import { applyObject, loadObjects, type Manifest } from './manifests.ts';
import type { Body } from './objects.ts';
import { requestToken } from './service-token.ts';
import { publishCluster } from './sharing.ts';

/** What somebody may. */
export interface UserOptions {
  /** @default - none but system:authenticated, which the API server adds */
  readonly groups?: readonly string[] | undefined;
  /** Roles that grant exactly this are made, in namespaces too. @default - nothing */
  readonly access?: readonly AccessRule[] | undefined;
}

/** Which service account. */
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
  /** By which the administrator asks, who may do everything (system:masters). */
  readonly connection: Connection;
  /** What asks as the administrator, with no limit of the rate; it writes as the field manager `test`. */
  readonly client: Client;
  /** The path of a kubeconfig file of the administrator, for kubectl and programs. */
  readonly kubeconfig: string;
  /**
   * Applies objects in their order (server-side, with force), and returns when definitions among them
   * are served.
   * @throws {InvalidInput} for files that are no YAML
   * @throws {Error} where the API server does not take one, for a field that its kind does not have too
   */
  apply(...manifests: readonly Manifest[]): Promise<void>;
  /**
   * A user who is known by a certificate, as kubeadm's are, and may do what is said and nothing else;
   * the API server knows it when this returns. Once for a name.
   */
  addUser(name: string, options?: UserOptions): Promise<ClusterUser>;
  /**
   * A service account with a token, as the pod of an operator has it; it and its namespace are made
   * where they are not there. `access` of a controller or a `Manager` is what it is to be given:
   *
   *     const { connection } = await cluster.addServiceAccount(name, { access: manager.access });
   */
  addServiceAccount(
    name: ServiceAccountName,
    options?: Pick<UserOptions, 'access'>,
  ): Promise<ClusterUser>;
  /**
   * All that the API server has noted so far, the oldest first: who asked for what, what writes said,
   * how it answered. It notes a request when it has answered it, so ask `until` the entry is there.
   */
  auditLog(): AuditEntry[];
  /**
   * Lets `sharedControlPlane` find it, in this process and in those that it starts from now on (by
   * TENANTRY_CONTROL_PLANE in the environment).
   */
  share(): void;
  /**
   * Closes the clients and, where this process started it, ends its processes and removes its data.
   * `await using` calls it. A process that ends, however it ends, takes what it started along.
   */
  stop(): Promise<void>;
}

/** A control plane, seen from any process. */
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

  /** `end`: what is done besides when it is stopped. */
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

/** As the name of a role or a file: what is neither letter, digit, `.`, `-`, `_`, `:` nor `@` is written in hex. */
const encodeFileName = (name: string): string =>
  name.replaceAll(/[^\w.:@-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`);
