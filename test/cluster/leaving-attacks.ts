import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { binding, networkPolicy, user } from './people.ts';

/** Something that a user of a tenant must not be able to do, and the policy that alone refuses it, if there is one. */
interface Attack {
  readonly by: 'alice' | 'mallory' | 'outsider';
  /** The admission policy without which it succeeds; undefined if something else refuses it. */
  readonly policy?: string;
  run(client: Client): Promise<Reply>;
}

const dry = { dryRun: true };
const namespace = 'shop-dev';

const create =
  (kind: string, more: object, metadata: object = {}) =>
  (client: Client): Promise<Reply> => {
    const body = {
      apiVersion: 'v1',
      kind,
      metadata: { name: 'own', namespace, ...metadata },
      ...more,
    };
    return client.create(body, dry);
  };

const pod = (more: object, context: object = {}) => ({
  spec: {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'main',
        image: 'example.com/main:1',
        resources: { requests: { cpu: '100m' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          ...context,
        },
      },
    ],
    ...more,
  },
});

const isolation = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  name: 'tenant-isolation',
  namespace,
};
const RBAC = 'rbac.authorization.k8s.io/v1';
const labels = { metadata: { labels: { 'tenantry.dev/tenant': null } } };

const policy = (name: string): string => `tenant-${name}.tenantry.dev`;

/**
 * Alice is an administrator of the tenant shop. Mallory may write namespaces and access everywhere, and is no
 * administrator of the cluster. The outsider belongs to no tenant. All attacks are dry runs.
 */
export const attacks: Readonly<Record<string, Attack>> = {
  'deletes the isolation': {
    by: 'alice',
    policy: policy('guard'),
    run: (client) => client.delete(isolation, dry),
  },
  'deletes the access of others': {
    by: 'alice',
    policy: policy('guard'),
    run: (client) =>
      client.delete(
        { apiVersion: RBAC, kind: 'RoleBinding', name: 'tenant-clusterrole-view', namespace },
        dry,
      ),
  },
  'binds admin to a outsider': {
    by: 'alice',
    policy: policy('role-bindings'),
    run: (client) => client.create(binding(namespace, 'admin', [user('outsider')], 'own'), dry),
  },
  'opens every port to everyone': {
    by: 'alice',
    policy: policy('network-policies'),
    run: (client) => client.create(networkPolicy(namespace, { ingress: [{}] }, 'own'), dry),
  },
  'takes an address of the cluster': {
    by: 'alice',
    policy: policy('services'),
    run: create('Service', { spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] } }),
  },
  'keeps a token forever': {
    by: 'alice',
    policy: policy('token-secrets'),
    run: create(
      'Secret',
      { type: 'kubernetes.io/service-account-token' },
      { annotations: { 'kubernetes.io/service-account.name': 'default' } },
    ),
  },
  'chooses a node': {
    by: 'alice',
    policy: policy('pods'),
    run: create('Pod', pod({ nodeName: 'node-1' })),
  },
  'sets a key that Argo CD obeys': {
    by: 'alice',
    policy: policy('reserved-keys'),
    run: create(
      'ConfigMap',
      {},
      { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' } },
    ),
  },
  'takes a name of the platform': {
    by: 'alice',
    policy: policy('names'),
    run: (client) => client.create(networkPolicy(namespace, {}, 'tenant-egress'), dry),
  },
  'runs a privileged pod': {
    by: 'alice',
    run: create('Pod', pod({}, { privileged: true, allowPrivilegeEscalation: true })),
  },
  'exceeds the quota': {
    by: 'alice',
    run: create('Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
  },
  'removes the quota': {
    by: 'alice',
    run: (client) =>
      client.delete(
        { apiVersion: 'v1', kind: 'ResourceQuota', name: 'tenant-quota', namespace },
        dry,
      ),
  },
  'weakens Pod Security': {
    by: 'alice',
    run: (client) =>
      client.patch(
        { apiVersion: 'v1', kind: 'Namespace', name: namespace },
        { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
        dry,
      ),
  },
  'reads the Secrets of another tenant': {
    by: 'alice',
    run: (client) => client.list({ apiVersion: 'v1', kind: 'Secret', namespace: 'other' }),
  },
  'takes the label of a tenant from a namespace': {
    by: 'mallory',
    policy: policy('guard'),
    run: (client) =>
      client.patch({ apiVersion: 'v1', kind: 'Namespace', name: namespace }, labels, dry),
  },
  'reads pods': {
    by: 'outsider',
    run: (client) => client.list({ apiVersion: 'v1', kind: 'Pod', namespace }),
  },
};

/** Returns the attacks that succeed, by name. */
export async function findOpen(clients: Readonly<Record<Attack['by'], Client>>): Promise<string[]> {
  const open: string[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const { status, body } = await attack.run(clients[attack.by]);
    if (status < 300) open.push(name);
    else if (status !== 403) throw new Error(`${name}: ${status} ${(body as Body).message}`);
  }
  return open;
}
