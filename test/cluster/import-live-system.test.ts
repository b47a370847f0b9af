import { expect } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { inProject } from '../cli/project.ts';
import { ofOneVersion, serve } from './crds.ts';
import { createObjects } from './live-fleet.ts';

const own = await ownClusters();

const RBAC = 'rbac.authorization.k8s.io';

const namespace: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'web', labels: { team: 'shop' } },
};

const definition: KubeObject = {
  apiVersion: 'rbacmanager.reactiveops.io/v1beta1',
  kind: 'RBACDefinition',
  metadata: { name: 'access' },
  rbacBindings: [
    {
      name: 'shop',
      subjects: [{ kind: 'User', name: 'jane' }],
      roleBindings: [{ clusterRole: 'edit', namespaceSelector: { matchLabels: { team: 'shop' } } }],
    },
  ],
};

/** A binding as rbac-manager makes it. */
function buildBinding(name: string, user: string, uid: string): KubeObject {
  const { apiVersion, kind } = definition;
  const metadata = {
    name,
    namespace: 'web',
    labels: { 'rbac-manager': 'reactiveops' },
    ownerReferences: [{ apiVersion, kind, name: 'access', uid }],
  };
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
  };
}

own.test(
  'a cluster with another tenancy system is imported by what the system declares, and what it does not explain is reported',
  inProject({}, async (project) => {
    await using cluster = await startCluster({ binaries: own.binaries });
    const { admin } = cluster;
    const { apiVersion, kind } = definition;
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
    const served = ofOneVersion({ apiVersion, kind, plural: 'rbacdefinitions' }, open, 'Cluster');
    await serve(admin, served);
    expect(await createObjects(admin, [namespace, definition])).toEqual([]);
    const { body } = await admin.get({ apiVersion, kind, name: 'access' });
    const uid = String(body.metadata?.uid);
    const made = [
      buildBinding('access-shop-edit', 'jane', uid),
      buildBinding('access-shop-other', 'mallory', uid),
    ];
    expect(await createObjects(admin, made, 'rbac-manager')).toEqual([]);
    const kubeconfig = await cluster.kubeconfigFile('admin', admin);
    const { code, out, err } = await project.tenantry(
      `import --from-cluster --kubeconfig ${kubeconfig} --report json`,
    );
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const report = JSON.parse(out) as Readonly<Record<string, unknown>>;
    expect(report['translated']).toMatchObject([
      { object: 'RBACDefinition access', system: 'rbac-manager', accepted: true },
    ]);
    expect(report['made']).toContainEqual({
      kind: 'RoleBinding',
      reason: 'rbac-manager makes it',
      objects: 1,
    });
    expect(report['leftOut']).toMatchObject([
      { object: 'RoleBinding web/access-shop-other', accepted: false },
    ]);
    expect(project.tree('tenants')['web.yaml']).toContain('access: { editors: { users: [jane] } }');
  }),
);
