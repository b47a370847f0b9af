import { afterAll, expect } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderFleet } from '../../apps/built-in-app.ts';
import { listGrantAccess, listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { AccessRequest, Tenant, wholeKinds } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { eventAccess } from '@tenantry/runtime/events/events';
import { Namespace, ResourceQuota, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { PodDisruptionBudget } from '@tenantry/runtime/kinds/policy';
import { Role, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account, STREAMED, type NeverUsed } from './accounts.ts';
import { breakGlass, requestAccess } from './break-glass.ts';
import { runInstalled } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const RBAC = 'rbac.authorization.k8s.io';
const namespace = 'tenantry-system';
/** The ClusterRoles of the class below, as `listAllBindableRoles` returns them. */
const clusterRoles = ['admin', 'auditor', 'edit', 'view'];

/** A class that gives its tenants an object of every kind, and uses everything that the platform allows. */
const standard = `
apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata: { name: default }
spec:
  driftPolicy: Heal
  allow: { clusterRoles: [auditor] }
  presets:
    roles:
      - name: deployer
        rules: [{ apiGroups: [apps], resources: [deployments], verbs: [get, patch] }]
  defaults:
    access: { roles: [{ preset: deployer, groups: [pay] }] }
    serviceAccounts: [{ name: robot }, { name: default }]
    imagePullSecrets: [regcred]
    quota: { hard: { pods: '10' } }
    limits: { items: [{ type: Container, default: { cpu: '1' } }] }
    disruptionBudgets: [{ name: budget, selector: { matchLabels: { app: web } }, minAvailable: 1 }]
`;
const platformFile = (driftPolicy: DriftPolicy) => `
apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: { name: platform }
spec:
  operator: { image: 'registry.example.com/tenantry:0.1.0', driftPolicy: ${driftPolicy} }
`;

/** Returns what is rendered for a platform with this drift policy. */
async function rendered(folder: string, driftPolicy: DriftPolicy): Promise<string> {
  const input = { tenants: join(folder, 'tenants'), platform: join(folder, 'tenantry.yaml') };
  await mkdir(join(input.tenants, 'classes'), { recursive: true });
  await writeFile(join(input.tenants, 'classes/default.yaml'), standard);
  await writeFile(input.platform, platformFile(driftPolicy));
  const out = join(folder, 'dist');
  renderFleet(input, { mode: 'write', out, constructMetadata: false, progress: false });
  return join(out, 'clusters');
}

const isWell = async (admin: Client) => {
  const { status, metadata } = await admin.get(Tenant, { name: 'pay' });
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.observedGeneration === metadata.generation && ready?.status === 'True';
};

const at = { namespace: 'pay', labelSelector: TENANT_LABEL };

/** Creates a tenant that must get its objects at once, as in the first scenario. */
async function onboard(admin: Client): Promise<void> {
  await admin.create(Tenant, {
    metadata: { name: 'pay' },
    spec: {
      access: {
        editors: { groups: ['pay'] },
        clusterRoles: [{ name: 'auditor', groups: ['audit'] }],
        breakGlass,
      },
    },
  });
  await until('the tenant has what it declares', () => isWell(admin));
  expect((await admin.get(Namespace, { name: 'pay' })).metadata.labels).toMatchObject({
    [TENANT_LABEL]: 'pay',
  });
  for (const kind of [ResourceQuota, Role, RoleBinding, PodDisruptionBudget]) {
    expect([kind.kind, (await admin.list(kind, at)).items.length > 0]).toEqual([kind.kind, true]);
  }
}

/** A change to an object of each kind, which healing reverts. */
const changes: Readonly<Record<string, object>> = {
  Namespace: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
  ResourceQuota: { spec: { hard: { pods: '99' } } },
  LimitRange: { spec: { limits: [] } },
  ServiceAccount: { metadata: { labels: { [TENANT_LABEL]: null } } },
  Role: { rules: [] },
  RoleBinding: { subjects: [] },
  NetworkPolicy: { spec: { egress: [{}], policyTypes: ['Ingress', 'Egress'] } },
  PodDisruptionBudget: { spec: { minAvailable: 3 } },
};

async function disturb(admin: Client, cluster: ClusterAccess): Promise<void> {
  for (const kind of wholeKinds) {
    const own = kind.kind === 'Namespace' ? { labelSelector: TENANT_LABEL } : at;
    const { name, namespace: place } = (await admin.list(kind, own)).items[0]!.metadata;
    const reference = { apiVersion: kind.group === '' ? 'v1' : `${kind.group}/v1` };
    const one = { ...reference, kind: kind.kind, name, namespace: place };
    const { status, body } = await cluster.admin.patch(one, changes[kind.kind]);
    if (status !== 200) throw new Error(`${kind.kind}: ${body.message}`);
    const changed = body.metadata!.resourceVersion;
    await until(`a ${kind.kind} is healed`, async () => {
      const now = (await admin.get(kind, { name, namespace: place })).metadata.resourceVersion;
      return now !== changed && isWell(admin);
    });
  }
  const { metadata } = (await admin.list(RoleBinding, at)).items[0]!;
  const { name } = metadata;
  await admin.delete(RoleBinding, { name, namespace: 'pay' });
  await until('the binding is created again', async () => {
    const { items } = await admin.list(RoleBinding, at);
    return items.some((one) => one.metadata.name === name) && isWell(admin);
  });
}

/** Replaces a binding by one with the same name and another role, which Heal replaces again. */
async function squat(admin: Client): Promise<void> {
  const { items } = await admin.list(RoleBinding, at);
  const { name } = items.find(({ roleRef }) => roleRef.name === 'edit')!.metadata;
  const squatter = { kind: 'ClusterRole', name: 'admin', apiGroup: RBAC };
  await until('somebody is faster', async () => {
    await admin.delete(RoleBinding, { name, namespace: 'pay' }).catch(() => undefined);
    const made = { metadata: { name, namespace: 'pay' }, roleRef: squatter, subjects: [] };
    return admin.create(RoleBinding, made).then(
      () => true,
      () => false,
    );
  });
  await until('the binding has its role again', async () => {
    const now = await admin.get(RoleBinding, { name, namespace: 'pay' }).catch(() => undefined);
    return now?.roleRef.name === 'edit' && isWell(admin);
  });
}

/**
 * Creates an account before the operator can, as a controller does in a new namespace. Under Create the operator
 * completes it.
 */
async function precede(admin: Client): Promise<void> {
  const account = { name: 'default', namespace: 'pay' };
  await until('a controller is faster', async () => {
    await admin.delete(ServiceAccount, account).catch(() => undefined);
    return admin.create(ServiceAccount, { metadata: account }).then(
      () => true,
      () => false,
    );
  });
  await until('the account is as declared', async () => {
    const { imagePullSecrets = [] } = await admin.get(ServiceAccount, account);
    return imagePullSecrets.some(({ name }) => name === 'regcred') && isWell(admin);
  });
}

/**
 * Retires a tenant that has a binding created by hand. The binding is removed, or reported by an operator that may
 * not delete it.
 */
async function retire(admin: Client, policy: DriftPolicy): Promise<void> {
  const subjects = [{ kind: 'User', name: 'bob', apiGroup: RBAC }];
  const roleRef = { kind: 'ClusterRole', name: 'view', apiGroup: RBAC };
  const metadata = { name: 'by-hand', namespace: 'pay' };
  await admin.create(RoleBinding, { metadata, roleRef, subjects });
  await admin.patch(Tenant, { name: 'pay' }, { spec: { lifecycle: 'Retired' } });
  if (policy === 'Heal') {
    await until('nobody has access', async () => {
      const { items } = await admin.list(RoleBinding, { namespace: 'pay' });
      return items.length === 0 && isWell(admin);
    });
    return;
  }
  await admin.deleteCollection(RoleBinding, at);
  await until('the access that remains is reported', async () => {
    const { status } = await admin.get(Tenant, { name: 'pay' });
    const [ready, degraded] = ['Ready', 'Degraded'].map((type) =>
      findCondition(status?.conditions, type),
    );
    const isNamed = ready?.status === 'False' && ready.message.includes('pay/by-hand');
    return isNamed && degraded?.reason === 'AccessRemains';
  });
}

/** No controller of OpenShift runs here. */
const otherAccounts = [
  {
    group: '',
    resource: 'serviceaccounts',
    verbs: ['patch'],
    resourceNames: ['builder', 'deployer', 'pipeline'],
  },
  'it completes the accounts that controllers of OpenShift create',
] as const satisfies NeverUsed;

const oldRecords = [
  { group: AccessRequest.group, resource: AccessRequest.plural, verbs: ['delete'] },
  'it deletes requests 90 days after their end',
] as const satisfies NeverUsed;

/** Under Create no Tenant gets a finalizer. */
const leftFinalizers = [
  { group: Tenant.group, resource: Tenant.plural, verbs: ['patch'] },
  'it removes finalizers that are left from Heal',
] as const satisfies NeverUsed;

for (const policy of ['Create', 'Heal'] as const) {
  test(`the operator rendered for ${policy} creates a tenant with exactly its rights`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-operator-'));
    await using cluster = await given.newCluster();
    const applied = await applyDist(cluster.admin, 'in-cluster', await rendered(folder, policy));
    const admin = clientOf(cluster.admin);
    const access = listOperatorAccess(namespace, { policy, clusterRoles });
    const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
    const command = [process.execPath, join(import.meta.dirname, '../../cli/main.ts')];
    const operator = await runInstalled({ cluster, applied, folder, account, command });
    try {
      await onboard(admin);
      if (policy === 'Heal') {
        await disturb(admin, cluster);
        await squat(admin);
        await requestAccess(admin, cluster);
      } else {
        await precede(admin);
      }
      await retire(admin, policy);
      expect(await operator.stop()).toBe(0);
      await account.expectExactAccess([
        ...access
          .filter(
            ({ verbs, resource }) => verbs.includes('list') && resource !== tenantClass.plural,
          )
          .map((rule) => [{ ...rule, verbs: ['list'] }, STREAMED] as const),
        ...eventAccess.map(
          (rule) => [{ ...rule, verbs: ['patch'] }, 'only a repeated event is patched'] as const,
        ),
        ...(policy === 'Create' ? [leftFinalizers, otherAccounts] : [oldRecords]),
        ...listGrantAccess(policy, clusterRoles).map(
          (rule) =>
            [rule, 'the API server checks this right when the operator creates a binding'] as const,
        ),
      ]);
    } catch (error) {
      throw new Error(operator.stderr.slice(-3000), { cause: error });
    } finally {
      await operator.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
