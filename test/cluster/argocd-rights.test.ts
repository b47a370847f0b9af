import { expect } from '@jest/globals';
import { join } from 'node:path';
import { readPlatform } from '../../apps/platform-file.ts';
import { resolveAppliedKinds } from '../../model/argocd/rights/applied-kinds.ts';
import { computeApplyRights, buildApplyRoles } from '../../model/argocd/rights/rights.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { applyObject } from '@tenantry/testing/controlplane/manifests';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { ownClusters, type ClusterTests } from '@tenantry/testing/test/controlplane/shared';
import { isAllowed } from './accounts.ts';
import { untilServed } from './crds.ts';
import { distFolders } from './dist.ts';
import { serveForeignKinds } from './foreign-kinds.ts';
import { clusterMinor } from './minor.ts';

const given = await ownClusters();
const RBAC = 'rbac.authorization.k8s.io';
const account = { namespace: 'argocd', name: 'argocd-application-controller' };
const user = `system:serviceaccount:${account.namespace}:${account.name}`;

const folders = distFolders('fra1');
const objects = folders.flatMap((folder) => folder.objects);
const { platform } = readPlatform(join(import.meta.dirname, '../../tenantry.yaml'), {
  mustExist: true,
});

/** Runs a test from Kubernetes 1.36 on: the cluster in dist has kinds that older versions do not serve. */
const test: ClusterTests['test'] = (...args) => {
  if (Number(clusterMinor.split('.')[1]) >= 36) given.test(...args);
};

/** Applies objects, and returns the refusals in the words of the API server. */
async function refusals(client: Client, applied: readonly Body[]): Promise<string[]> {
  const messages: string[] = [];
  for (const object of applied) {
    const { status, body } = await client.apply(object, { fieldManager: 'argocd-controller' });
    if (status > 201) messages.push(`${object.kind} ${object.metadata?.name}: ${body.message}`);
    else if (object.kind === 'CustomResourceDefinition') await untilServed(client, object);
  }
  return messages;
}

const rule = (apiGroups: string, resources: string, verbs: readonly string[]) => ({
  apiGroups: [apiGroups],
  resources: [resources],
  verbs,
});

const binding = (kind: string, name: string, role: string, namespace?: string): Body => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: 'eve', apiGroup: RBAC }],
});

test('an Argo CD with the computed roles can apply and prune all of dist/, and nothing else', async () => {
  await using cluster = await given.newCluster();
  const { admin } = cluster;
  await serveForeignKinds(admin, objects);
  const applied = resolveAppliedKinds(
    objects as unknown as readonly KubeObject[],
    platform.declared.kinds ?? [],
  );
  expect(applied.unknown).toEqual([]);
  for (const role of buildApplyRoles(computeApplyRights(applied, { serverSide: true }), [
    account,
  ])) {
    await applyObject(admin, role);
  }
  await until('the roles are known', () =>
    isAllowed(cluster, user, { group: RBAC, resource: 'roles', verb: 'escalate' }),
  );
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const argoCd = cluster.user(user, { groups });
  try {
    expect(await refusals(argoCd, objects)).toEqual([]);

    // Argo CD reads the kinds that it applies completely, but no Secrets.
    for (const kind of new Set(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))) {
      const [apiVersion = '', name = ''] = kind.split(' ');
      const { status } = await argoCd.list({ apiVersion, kind: name }, { limit: 1 });
      expect([kind, status]).toEqual([kind, 200]);
    }
    expect((await argoCd.list({ apiVersion: 'v1', kind: 'Secret' })).status).toBe(403);

    const quota = objects.find(({ kind }) => kind === 'ResourceQuota');
    const namespace = quota!.metadata!.namespace!;
    const operator = objects.find(({ kind }) => kind === 'ClusterRole')!;
    const refused: readonly Body[] = [
      { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'j', namespace }, spec: {} },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace } },
      binding('ClusterRoleBinding', 'smuggled', 'view'),
      binding('ClusterRoleBinding', 'smuggled', 'cluster-admin'),
      binding('RoleBinding', 'smuggled', 'cluster-admin', namespace),
      { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'smuggled' } },
      { ...operator, rules: [rule('*', '*', ['*'])] },
    ];
    const messages = await refusals(argoCd, refused);
    expect(messages).toHaveLength(refused.length);
    expect(messages.filter((one) => !/forbidden|not currently held/.test(one))).toEqual([]);
    // A request without a name in its path is refused as well.
    const made = await argoCd.create(binding('ClusterRoleBinding', 'smuggled', 'view'));
    expect(made.status).toBe(403);
    const own = await argoCd.get({
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      name: 'tenantry-argocd',
    });
    expect(own.status).toBe(403);

    // Argo CD grants and changes access, which requires `bind` and `escalate`.
    const role: Body = {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name: 'debugger', namespace },
      rules: [rule('', 'pods/exec', ['create'])],
    };
    expect(await refusals(argoCd, [role, binding('RoleBinding', 'b', 'view', namespace)])).toEqual(
      [],
    );

    const kept: string[] = [];
    for (const object of objects.toReversed()) {
      const { status, body } = await argoCd.delete(toReference(object));
      if (status > 202) kept.push(`${object.kind} ${object.metadata?.name}: ${body.message}`);
    }
    const undeletable = objects.filter(
      ({ kind, metadata }) =>
        kind === 'Namespace' &&
        ['Prune=false', 'Delete=false'].every((option) =>
          metadata?.annotations?.['argocd.argoproj.io/sync-options']?.includes(option),
        ),
    );
    expect(kept).toHaveLength(undeletable.length);
    expect(kept.filter((one) => !/^Namespace .*forbidden/.test(one))).toEqual([]);
  } finally {
    argoCd.close();
  }
});
