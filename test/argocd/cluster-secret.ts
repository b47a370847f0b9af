import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { applyObject } from '@tenantry/testing/controlplane/manifests';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { accountOf, ARGOCD } from './installation.ts';

/** A cluster that Argo CD deploys to. */
export interface ClusterProps {
  readonly name: string;
  /** The server in Applications: `https://api.fra1.example.com:6443`. */
  readonly server: string;
  readonly cluster: ClusterAccess;
  /** The proxy that reaches `server`. */
  readonly proxy: string;
}

/** The Secret that adds the cluster to Argo CD, with all rights. */
export async function clusterSecret(props: ClusterProps): Promise<Body> {
  const { name, server, cluster, proxy } = props;
  const account = accountOf(cluster, 'argocd-application-controller');
  const { ca, cert = '', key = '' } = account.credentials;
  account.close();
  await applyObject(cluster.admin, everything);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    proxyUrl: proxy,
    tlsClientConfig: {
      serverName: 'localhost',
      caData: base64(ca),
      certData: base64(cert),
      keyData: base64(key),
    },
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `cluster-${name}`,
      namespace: ARGOCD,
      labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
    },
    stringData: { name, server, config: JSON.stringify(config) },
  };
}

const everything: Body = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'argocd-manager-role-binding' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: 'argocd-application-controller', namespace: ARGOCD }],
};
