import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import { applyObject, loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body } from '@tenantry/testing/controlplane/objects';

/** The namespace of Argo CD. */
export const ARGOCD = 'argocd';

/**
 * Returns a client with the identity of one of Argo CD's service accounts, so that the audit log names it. It needs no
 * token, which would expire.
 */
export function accountOf(cluster: ClusterAccess, name: string): Client {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${ARGOCD}`];
  return cluster.user(`system:serviceaccount:${ARGOCD}:${name}`, { groups });
}

/** The kinds in Argo CD's manifests that an installation without pods needs. */
const installed = new Set([
  'CustomResourceDefinition',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
]);
const clusterScoped = new Set(['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding']);

export interface InstallationProps {
  /** Argo CD's own manifests. */
  readonly manifests: string;
  /** Keys of the ConfigMap argocd-cm, in addition to those in Argo CD's manifests. */
  readonly settings: Readonly<Record<string, string>>;
  /** Roles and bindings that replace Argo CD's ClusterRole, which grants everything. */
  readonly rights: readonly Body[] | undefined;
  readonly defaultProject: boolean;
}

/** Applies Argo CD's own definitions, settings and roles to a cluster. */
export async function install(cluster: ClusterAccess, props: InstallationProps): Promise<void> {
  const { admin } = cluster;
  await applyObject(admin, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ARGOCD } });
  for (const object of installationObjects(props)) await applyObject(admin, object);
}

/** The objects have no namespace, as kustomize expects. */
function installationObjects(props: InstallationProps): Body[] {
  const everything = join(props.manifests, 'cluster-rbac/application-controller');
  const taken = props.rights ? new Set(bodiesOf(everything).map(idOf)) : new Set<string>();
  const own = bodiesOf(props.manifests)
    .filter((object) => installed.has(object.kind ?? '') && !taken.has(idOf(object)))
    .map((object) => settled(inNamespace(object), props));
  return [...own, ...(props.rights ?? []), ...(props.defaultProject ? [defaultProject] : [])];
}

const bodiesOf = (folder: string): Body[] => loadObjects([folder]) as Body[];

const idOf = ({ kind, metadata }: Body): string => `${kind} ${metadata?.name}`;

function inNamespace(object: Body): Body {
  if (clusterScoped.has(object.kind ?? '')) return withSubjects(object);
  return withSubjects({ ...object, metadata: { ...object.metadata, namespace: ARGOCD } });
}

function withSubjects(object: Body): Body {
  const { subjects } = object as { readonly subjects?: readonly object[] };
  if (!subjects) return object;
  return { ...object, subjects: subjects.map((one) => ({ namespace: ARGOCD, ...one })) };
}

function settled(object: Body, { settings }: InstallationProps): Body {
  const { kind, metadata } = object;
  if (kind === 'Secret' && metadata?.name === 'argocd-secret') {
    return { ...object, stringData: { 'server.secretkey': randomBytes(32).toString('base64') } };
  }
  if (kind !== 'ConfigMap' || metadata?.name !== 'argocd-cm') return object;
  const { data } = object as { readonly data?: Readonly<Record<string, string>> };
  return { ...object, data: { ...data, ...settings } };
}

/** The project that Argo CD's API server would create; it does not run here. */
const defaultProject: Body = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: ARGOCD },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
};
