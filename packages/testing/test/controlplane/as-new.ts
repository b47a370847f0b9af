import { join } from 'node:path';
import { roleObjects } from '@tenantry/kube/access';
import type { ClusterAccess } from '../../controlplane/cluster.ts';
import type { Client } from '../../controlplane/client.ts';
import type { Body } from '../../controlplane/objects.ts';
import { uniqueName } from './unique-name.ts';
import { until } from '../../waiting/until.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { EtcdStore, type StoredEntry } from './etcd-store.ts';

/** A timeout in milliseconds, long enough for a machine that many tests keep busy. */
const patient = { within: 120_000 };

/** The number of equal looks, 250 ms apart, after which the initial objects of a new API server are complete. */
const LOOKS = 5;

/** The objects that an API server creates itself, some of them only after it reports that it is ready. */
const OWN = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(
    (name) => `namespaces/${name}`,
  ),
  'configmaps/kube-system/extension-apiserver-authentication',
].map((path) => `/registry/${path}`);

/** The key prefix of the leases by which an API server shows that it is alive. */
const LIFE = '/registry/leases/kube-system/apiserver-';

const nameOf = (key: string): string => Buffer.from(key, 'base64').toString();

const isOwnLife = ({ key }: StoredEntry): boolean => nameOf(key).startsWith(LIFE);

/**
 * Restores a control plane without controllers to its initial state: the stored data is the same, byte for byte, and
 * the API server has observed that.
 */
export class AsNew {
  readonly #store: EtcdStore;
  readonly #admin: Client;
  readonly #values: ReadonlyMap<string, string>;
  readonly #revisions: Map<string, string>;
  readonly #groups: string;

  private constructor(
    store: EtcdStore,
    admin: Client,
    entries: readonly StoredEntry[],
    groups: string,
  ) {
    this.#store = store;
    this.#admin = admin;
    this.#values = new Map(entries.map(({ key, value }) => [key, value]));
    this.#revisions = new Map(entries.map(({ key, revision }) => [key, revision]));
    this.#groups = groups;
  }

  /** Records the initial state of a control plane that was just started and has served no request yet. */
  static async of({ details, admin }: ClusterAccess): Promise<AsNew> {
    const store = new EtcdStore(join(details.folder, 'etcd.sock'));
    let last = '';
    let looks = 0;
    const entries = await until(
      'the API server has made all that it makes by itself',
      async () => {
        const all = (await store.entries()).filter((entry) => !isOwnLife(entry));
        const names = new Set(all.map(({ key }) => nameOf(key)));
        const now = all.map(({ key, revision }) => `${key} ${revision}`).join('\n');
        looks = now === last ? looks + 1 : 0;
        last = now;
        return looks >= LOOKS && OWN.every((name) => names.has(name)) && all;
      },
      { ...patient, every: 250 },
    );
    return new AsNew(store, admin, entries, await groupsOf(admin));
  }

  /**
   * Restores the recorded state and waits until the API server has observed it.
   * @throws {Error} if the state cannot be restored, or if nothing shows whether the API server has observed it
   */
  async restore(): Promise<void> {
    const changed = await this.#putBack();
    const forever = changed.find((name) => name.includes('webhookconfigurations/'));
    if (forever)
      throw new Error(`there is no way to observe that the API server has dropped ${forever}`);
    // The API server observes these later objects after the restored ones.
    await heedsRoles(this.#admin);
    const has = (what: string) => changed.some((name) => name.startsWith(`/registry/${what}`));
    if (has('validatingadmissionpolic')) await heedsPolicies(this.#admin, validating);
    if (has('mutatingadmissionpolic')) await heedsPolicies(this.#admin, mutating);
    await forgetsNamespaces(this.#admin, changed);
    await this.#putBack();
  }

  /** Restores the stored data until it is unchanged and no other group is served; returns the keys that differed. */
  async #putBack(): Promise<readonly string[]> {
    const changed: string[] = [];
    await until(
      'nothing is stored or served that was not there when it was new',
      async () => {
        const now = await this.#putBackOnce();
        changed.push(...now);
        return now.length === 0 && (await groupsOf(this.#admin)) === this.#groups;
      },
      patient,
    );
    return changed;
  }

  async #putBackOnce(): Promise<readonly string[]> {
    const entries = await this.#store.entries({ keysOnly: true });
    const now = new Map(entries.filter((one) => !isOwnLife(one)).map((one) => [one.key, one]));
    const gone = [...now.keys()].filter((key) => !this.#values.has(key)).map((key) => ({ key }));
    const other = [...this.#values]
      .filter(([key]) => now.get(key)?.revision !== this.#revisions.get(key))
      .map(([key, value]) => ({ key, value }));
    const written = await this.#store.write([...gone, ...other]);
    for (const { key } of other) this.#revisions.set(key, written.get(key)!);
    return [...gone, ...other].map(({ key }) => nameOf(key));
  }
}

const NAMESPACES = '/registry/namespaces/';

/**
 * Waits until the API server refuses objects in the deleted namespaces. It uses its own cache of namespaces, which may
 * be behind.
 */
async function forgetsNamespaces(admin: Client, changed: readonly string[]): Promise<void> {
  const gone = changed
    .filter((key) => key.startsWith(NAMESPACES) && !OWN.includes(key))
    .map((key) => key.slice(NAMESPACES.length));
  await mapConcurrently([...new Set(gone)], (namespace) =>
    until(
      `the namespace ${namespace} is forgotten`,
      async () => {
        const asked = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace } };
        return (await admin.create(asked, { dryRun: true })).status === 404;
      },
      patient,
    ),
  );
}

/** Returns the names of the API groups that are served. */
async function groupsOf(admin: Client): Promise<string> {
  const { status, body } = await admin.request({ method: 'GET', path: '/apis' });
  if (status !== 200) throw new Error(`no groups: ${status} ${body.message}`);
  const { groups } = body as { readonly groups?: readonly { readonly name: string }[] };
  return (groups ?? []).map(({ name }) => name).join();
}

/** Applies an object, and retries while a deleted policy may still reject it. */
const applied = (admin: Client, object: Body): Promise<boolean> =>
  until(
    `${object.kind} ${object.metadata?.name} is applied`,
    async () => (await admin.apply(object, { fieldManager: 'as-new' })).status <= 201,
    patient,
  );

/** Waits until new cluster-wide and namespaced rights take effect. */
async function heedsRoles(admin: Client): Promise<void> {
  const [name, namespace] = [uniqueName('as-new'), 'default'];
  const verbs = ['get'] as const;
  const access = [
    { group: '', resource: 'nodes', verbs },
    { group: '', resource: 'configmaps', verbs, namespaces: [namespace] },
  ];
  const roles: readonly object[] = Object.values(roleObjects({ name, namespace, access }));
  for (const object of roles) await applied(admin, object as Body);
  const user = `system:serviceaccount:${namespace}:${name}`;
  for (const resource of ['nodes', 'configmaps']) {
    const resourceAttributes = {
      verb: 'get',
      resource,
      ...(resource === 'configmaps' && { namespace }),
    };
    await until(
      `${resource} may be read`,
      async () => {
        const { body } = await admin.create({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: { user, resourceAttributes },
        });
        return (body.status as { readonly allowed?: boolean } | undefined)?.allowed;
      },
      patient,
    );
  }
}

/** A kind of admission policy. The API server reloads all policies of one kind together, from time to time. */
interface PolicyKind {
  readonly kind: string;
  /** The spec of a policy that acts on objects with this name. */
  readonly spec: (name: string) => object;
  readonly binding: object;
  /** Whether the API server's answer shows that the policy acted on the object with this name. */
  readonly isHeeded: (answer: Body, name: string) => boolean;
}

const matchConstraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ],
};

/** The message by which this policy is recognized; no other policy uses it. */
const heeded = (name: string): string => `${name} is heeded`;

const validating: PolicyKind = {
  kind: 'ValidatingAdmissionPolicy',
  spec: (name) => ({
    failurePolicy: 'Fail',
    matchConstraints,
    validations: [{ expression: `object.metadata.name != '${name}'`, message: heeded(name) }],
  }),
  binding: { validationActions: ['Deny'] },
  isHeeded: ({ message = '' }, name) => message.includes(heeded(name)),
};

const mutating: PolicyKind = {
  kind: 'MutatingAdmissionPolicy',
  spec: (name) => ({
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    matchConstraints,
    matchConditions: [{ name: 'as-new', expression: `object.metadata.name == '${name}'` }],
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression: `[JSONPatch{op: "add", path: "/metadata/annotations/${name}", value: "${heeded(name)}"}]`,
        },
      },
    ],
  }),
  binding: {},
  isHeeded: ({ metadata }, name) => metadata?.annotations?.[name] === heeded(name),
};

/** Waits until a policy that is applied now takes effect. */
async function heedsPolicies(admin: Client, policy: PolicyKind): Promise<void> {
  const name = uniqueName('as-new');
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: `${name}.example.com` };
  const { kind, binding } = policy;
  await applied(admin, { apiVersion, kind, metadata, spec: { ...policy.spec(name) } });
  const spec = { ...binding, policyName: metadata.name };
  await applied(admin, { apiVersion, kind: `${kind}Binding`, metadata, spec });
  const place = { name, namespace: 'default', annotations: { asked: name } };
  const asked = { apiVersion: 'v1', kind: 'ConfigMap', metadata: place };
  await until(
    `a ${kind} is in force`,
    async () => policy.isHeeded((await admin.create(asked, { dryRun: true })).body, name),
    patient,
  );
}
