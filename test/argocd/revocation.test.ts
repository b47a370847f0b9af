import { expect } from '@jest/globals';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { isAllowed } from '../cluster/accounts.ts';
import { tenant } from '../cli/project.ts';
import { isSettled } from './application.ts';
import { startOperator } from './with-operator.ts';
import { documents, faultPairs, faults, faultsFile, finalized, type FaultName } from './faults.ts';
import type { Files } from './git-repository.ts';
import { argoCdTests } from './tests.ts';
import { sharedWorld, type World } from './world.ts';

const given = await argoCdTests();
const { test } = given;

const pairs = faultPairs().map((names) => ({ names, name: names.join('-').toLowerCase() }));
const BOUND = 'refused-bound';
const BINDING = 'refused-binding';
const KEPT = 'kept-binding';
const all = [...pairs.map(({ name }) => name), BOUND, BINDING, KEPT];

/** Removing a user changes a binding; removing the last user of a role deletes the binding. */
const declared = (
  editors: readonly string[],
  viewers: readonly string[],
  pods = 9,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    all.map((name) => [
      `tenants/${name}.yaml`,
      tenant(name, {
        access: {
          editors: { users: editors },
          viewers: { users: name === BINDING ? ['seer'] : viewers },
        },
        quota: { preset: 'none', hard: { pods: name === BOUND ? pods : 9 } },
        ...([BINDING, KEPT].includes(name) && { driftPolicy: 'Heal' }),
      }),
    ]),
  );

const worldOf = sharedWorld(given, () => ({
  files: declared(['stays', 'first', 'second'], ['seer']),
}));

/** Files next to the rendered ones, because some of the faults cannot be declared for a tenant. */
const faulty = (when: 'before' | 'after'): Files =>
  Object.fromEntries(
    pairs.map(({ names, name }) => {
      const objects = names.flatMap((one: FaultName): readonly object[] => faults[one][when]);
      return [faultsFile(name), documents(objects, name)];
    }),
  );

const may = (cluster: Cluster, user: string, verb: 'get' | 'update', namespace: string) =>
  isAllowed(cluster, user, { group: '', resource: 'configmaps', verb, namespace });

/** Returns every tenant in which a user has this right. */
async function where(cluster: Cluster, user: string, verb: 'get' | 'update'): Promise<string[]> {
  const answers = await Promise.all(all.map((name) => may(cluster, user, verb, name)));
  return all.filter((_, i) => answers[i]);
}

async function untilNowhere(
  { cluster }: World,
  user: string,
  verb: 'get' | 'update',
  but: readonly string[] = [],
  within?: number,
): Promise<void> {
  let left: string[] = [];
  await until(
    `${user} may ${verb} nothing`,
    async () => {
      left = await where(cluster, user, verb);
      return String(left) === String(but);
    },
    { every: 1000, within },
  ).catch((error: unknown) => {
    throw new Error(`${user} may still ${verb} in ${left.join(', ')}`, { cause: error });
  });
}

/** Renders, and commits the result together with the additional files. */
async function commit(
  { company }: World,
  message: string,
  change: Readonly<Record<string, string>>,
) {
  for (const { name } of pairs) {
    rmSync(dirname(join(company.git.folder, faultsFile(name))), { recursive: true });
  }
  await company.render(change);
  return company.git.commit(message, faulty('after'));
}

const refresh = ({ argoCd }: World) => argoCd.refresh(all.map((name) => `eu1.${name}`));

/** A foreign policy that rejects all changes and deletions of a quota in that namespace. */
async function refuseQuotas({ cluster }: World): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const name = 'no-quotas.example.com';
  await cluster.admin.create({
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': BOUND } },
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['*'],
            operations: ['UPDATE', 'DELETE'],
            resources: ['resourcequotas'],
          },
        ],
      },
      validations: [{ expression: 'false' }],
    },
  });
  await cluster.admin.create({
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', namespace: BOUND, name: 'tenant-quota' };
  await until('the policy is in force', async () => {
    const change = { metadata: { annotations: { tried: 'yes' } } };
    return (await cluster.admin.patch(quota, change, { dryRun: true })).status >= 400;
  });
}

const viewBinding = (namespace: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  namespace,
  name: 'tenant-clusterrole-view',
});

/**
 * Creates a binding again with another role. The API server rejects each change of a role, so Argo CD retries to heal
 * this binding alone and syncs no commit. The operator must revoke the access instead.
 */
async function replaceBinding({ cluster }: World): Promise<void> {
  const binding = viewBinding(BINDING);
  const { body } = await cluster.admin.get(binding);
  const { labels = {}, annotations = {} } = body.metadata!;
  await cluster.admin.delete(binding);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' };
  const metadata = { name: binding.name, namespace: BINDING, labels, annotations };
  const replaced: Body = { ...body, metadata, roleRef };
  const { status } = await cluster.admin.create(replaced);
  expect(status).toBe(201);
}

/** Annotates a binding, as an administrator can, so that Argo CD does not prune it. */
async function keepBinding({ cluster }: World): Promise<void> {
  const binding = viewBinding(KEPT);
  const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=false' };
  expect((await cluster.admin.patch(binding, { metadata: { annotations } })).status).toBe(200);
}

test("a revocation takes effect with its sync, whatever two faults the tenant's workloads have", async () => {
  const world = await worldOf();
  const { argoCd, cluster, company } = world;
  const begin = company.git.commit('Before the faults', faulty('before'));
  await argoCd.refresh();
  for (const name of all) await argoCd.untilTenantSettled(`eu1.${name}`, begin);
  expect(await where(cluster, 'first', 'update')).toEqual(all);
  expect(await where(cluster, 'seer', 'get')).toEqual(all);
  await refuseQuotas(world);
  await replaceBinding(world);
  await keepBinding(world);
  await argoCd.untilApplication(
    'it tries to heal the binding',
    `eu1.${BINDING}.tenantry.rbac`,
    ({ status }) => /cannot change roleRef/.test(status?.operationState?.message ?? ''),
  );
  await argoCd.untilSettled('tenantry-operator-eu1');
  const operator = await startOperator(cluster, company.platform);
  try {
    await revokeTwice(world);
  } finally {
    await operator.stop();
  }
});

function untilDeleting({ admin }: Cluster, namespace: string): Promise<true> {
  return until('the object with a finalizer waits', async () => {
    const { body } = await admin.get(finalized(namespace));
    return body.metadata?.deletionTimestamp !== undefined;
  });
}

async function revokeTwice(world: World): Promise<void> {
  const { argoCd, cluster } = world;

  // With the faults in one commit: one user leaves a binding, and another was the last user of one.
  await commit(world, 'Faults, and a revocation', declared(['stays', 'second'], [], 10));
  await refresh(world);
  await untilNowhere(world, 'first', 'update');
  await untilNowhere(world, 'seer', 'get', [BINDING, KEPT]);
  await untilNowhere(world, 'seer', 'update');
  expect(await where(cluster, 'stays', 'update')).toEqual(all);

  // Each fault exists and Argo CD reports it. An object that it pruned and cannot delete is no difference to it.
  const ofPairs = pairs.filter(({ names }) => String(names) !== 'finalizer');
  const faultyNames = [
    `eu1.${BOUND}`,
    ...ofPairs.map(({ name }) => `eu1.${name}.tenantry.resources`),
  ];
  await untilDeleting(cluster, 'finalizer');
  for (const name of faultyNames) {
    await argoCd.untilApplication('it is not well', name, (one) => !isSettled(one));
  }

  // The next commit, with the faults still present.
  await commit(world, 'The next revocation', declared(['stays'], [], 10));
  await refresh(world);
  await untilNowhere(world, 'second', 'update');
  expect(await where(cluster, 'stays', 'update')).toEqual(all);
  for (const name of faultyNames) {
    expect([name, isSettled((await argoCd.application(name))!)]).toEqual([name, false]);
  }

  // The operator removes what Argo CD leaves.
  await untilNowhere(world, 'seer', 'get', [BINDING], 120_000);
}
