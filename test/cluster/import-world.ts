import { join } from 'node:path';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { readLoosely } from '@tenantry/kube/yaml/read';
import type { KubeObject } from '@tenantry/kube/object';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Binaries } from '@tenantry/testing/controlplane/programs';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { readSection } from '../docs/pages.ts';
import { createObjects, readFleetObjects } from './live-fleet.ts';

/** The value of a Secret, which no import may print or write. */
export const SECRET_VALUE = 'hunter2-never-printed';

const rbac = 'rbac.authorization.k8s.io/v1';
const own = { 'import-test': 'own' };

/** The ClusterRole that the documentation shows. */
export function readDocumentedRole(): KubeObject {
  const { blocks } = readSection(join('docs', 'importing.md'), 'From a cluster');
  const text = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
  return readLoosely(text).documents[0]!.value as KubeObject;
}

const namespace = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: own, ...metadata },
});

const inShop = (apiVersion: string, kind: string, name: string, more: object): KubeObject => ({
  apiVersion,
  kind,
  ...more,
  metadata: { name, namespace: 'shop', ...('metadata' in more && (more.metadata as object)) },
});

const tracking = (application: string, what: string) => ({
  metadata: { annotations: { 'argocd.argoproj.io/tracking-id': `${application}:${what}` } },
});

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const pod = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
};

/** Objects by the field manager that creates them. */
const created: Readonly<Record<string, readonly KubeObject[]>> = {
  'argocd-controller': [
    namespace('shop', tracking('tenants', '/Namespace:tenants/shop').metadata),
    namespace('shop-system'),
    inShop(rbac, 'RoleBinding', 'admins', {
      ...tracking('tenants', 'rbac.authorization.k8s.io/RoleBinding:shop/admins'),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'shop' }],
    }),
    inShop(rbac, 'Role', 'of-the-app', {
      ...tracking('shop', 'rbac.authorization.k8s.io/Role:shop/of-the-app'),
      rules,
    }),
  ],
  'kubectl-create': [
    inShop('v1', 'ResourceQuota', 'quota', {
      spec: { hard: { pods: '20', 'limits.cpu': '4000m' } },
    }),
    inShop('v1', 'LimitRange', 'limits', {
      spec: { limits: [{ type: 'Container', default: { cpu: '1', memory: '1Gi' } }] },
    }),
    inShop('v1', 'ServiceAccount', 'ci', {}),
    inShop('networking.k8s.io/v1', 'NetworkPolicy', 'deny', {
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    }),
    inShop('policy/v1', 'PodDisruptionBudget', 'web', {
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    }),
    inShop('v1', 'ConfigMap', 'colors', { data: { color: 'blue' } }),
    inShop('v1', 'Secret', 'password', { stringData: { password: SECRET_VALUE } }),
    inShop('apps/v1', 'Deployment', 'web', {
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: pod },
    }),
    inShop('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  ],
  helm: [
    inShop(rbac, 'Role', 'redis', {
      metadata: {
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: {
          'meta.helm.sh/release-name': 'redis',
          'meta.helm.sh/release-namespace': 'shop',
        },
      },
      rules,
    }),
  ],
  provisioner: [inShop(rbac, 'Role', 'generated', { rules })],
};

/** A cluster with objects of people, tools, programs and controllers. */
export interface ImportWorld {
  readonly cluster: Cluster;
  /** Returns a kubeconfig of a new user with these rules in all namespaces. */
  readonly addUser: (name: string, role: KubeObject) => Promise<string>;
}

/** Starts the cluster, with the fleet in this folder if there is one. */
export async function startImportWorld(
  binaries: Binaries,
  fleet: string | undefined,
): Promise<ImportWorld> {
  const cluster = await startCluster({
    binaries,
    controllerManager: true,
    scheduler: true,
    readyPods: true,
  });
  const { admin } = cluster;
  const must = (refusals: readonly string[]): void => {
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
  };
  if (fleet !== undefined) must(await createObjects(admin, readFleetObjects(fleet)));
  for (const [manager, objects] of Object.entries(created)) {
    must(await createObjects(admin, objects, manager));
  }
  const accounts = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'shop' };
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop' };
  await until('controllers have made the account and the pods', async () => {
    const [account, made] = [
      await admin.get({ ...accounts, name: 'default' }),
      await admin.list(pods),
    ];
    return account.status === 200 && made.body.items?.length === 2;
  });
  const addUser = async (name: string, role: KubeObject): Promise<string> => {
    const roleName = `${role.metadata.name}-${name}`;
    const metadata = { name: roleName };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
    must(
      await createObjects(admin, [
        { ...role, metadata },
        { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
      ]),
    );
    const user = cluster.user(name);
    await until(`${name} may list`, async () => {
      const { status } = await user.list({ apiVersion: 'v1', kind: 'Namespace' });
      return status === 200;
    });
    return cluster.kubeconfigFile(name, user);
  };
  return { cluster, addUser };
}

/** Applies objects server-side in a dry run, and returns those that would change, without Tenantry's own keys. */
export async function findChanges({ cluster }: ImportWorld, objects: readonly Body[]) {
  const changes: string[] = [];
  for (const object of objects) {
    const reference = toReference(object);
    const [before, after] = [
      await cluster.admin.get(reference),
      await cluster.admin.apply(object, { fieldManager: 'diff', force: true, dryRun: true }),
    ];
    if (withoutMarks(before.body) !== withoutMarks(after.body)) {
      changes.push(`${reference.kind} ${reference.namespace ?? ''}/${reference.name}`);
    }
  }
  return changes;
}

/** The keys of Tenantry, by docs/reference/metadata.md, and what the API server writes. */
const marks =
  /^(tenantry\.dev\/|policy\.tenantry\.dev\/|app\.kubernetes\.io\/managed-by$|argocd\.argoproj\.io\/(sync|compare)-options$)/;

/** Formats an object for a comparison. Subjects are a set: their order and repetitions have no effect. */
function withoutMarks({ metadata = {}, subjects, ...content }: Body): string {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _number,
    ...rest
  } = metadata;
  const strip = (entries: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([key]) => !marks.test(key))
        .toSorted(),
    );
  const [labels, annotations] = [strip(metadata.labels), strip(metadata.annotations)];
  const set = Array.isArray(subjects)
    ? [...new Set(subjects.map((one) => formatCanonicalJson(one)))].toSorted()
    : undefined;
  return formatCanonicalJson({
    ...content,
    subjects: set,
    metadata: { ...rest, labels, annotations },
  });
}
