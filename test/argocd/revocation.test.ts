import { expect } from '@jest/globals';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cluster } from '../../testing/controlplane/cluster.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { until } from '../../testing/waiting/until.ts';
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

/** A user who goes changes a binding; the last user of a role takes the binding along. */
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

/** What lies beside what is rendered: no declaration of a tenant could say some of it. */
const faulty = (when: 'before' | 'after'): Files =>
  Object.fromEntries(
    pairs.map(({ names, name }) => {
      const objects = names.flatMap((one: FaultName): readonly object[] => faults[one][when]);
      return [faultsFile(name), documents(objects, name)];
    }),
  );

const may = (cluster: Cluster, user: string, verb: 'get' | 'update', namespace: string) =>
  isAllowed(cluster, user, { group: '', resource: 'configmaps', verb, namespace });

/** Each tenant in which a user may do something, as one list. */
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

/** Renders, and commits that with what lies beside it. */
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

/** Somebody else's policy: nobody changes or deletes a quota there. */
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
 * A binding that somebody made anew with another role: the API server refuses each change of a role. Argo CD then tries to
 * heal this binding alone, again and again, and syncs no commit. The operator takes its place.
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

/** An administrator annotates a binding so that Argo CD does not prune it. */
async function keepBinding({ cluster }: World): Promise<void> {
  const binding = viewBinding(KEPT);
  const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=false' };
  expect((await cluster.admin.patch(binding, { metadata: { annotations } })).status).toBe(200);
}

test('a revocation is in force with its sync, whatever two faults the workloads of the tenant have', async () => {
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

  // With the faults in one commit: one user leaves a binding, another takes it along.
  await commit(world, 'Faults, and a revocation', declared(['stays', 'second'], [], 10));
  await refresh(world);
  await untilNowhere(world, 'first', 'update');
  await untilNowhere(world, 'seer', 'get', [BINDING, KEPT]);
  await untilNowhere(world, 'seer', 'update');
  expect(await where(cluster, 'stays', 'update')).toEqual(all);

  // Each fault is there, and Argo CD says so.
  // What it has pruned and cannot delete is no difference to it.
  const ofPairs = pairs.filter(({ names }) => String(names) !== 'finalizer');
  const faultyNames = [
    `eu1.${BOUND}`,
    ...ofPairs.map(({ name }) => `eu1.${name}.tenantry.resources`),
  ];
  await untilDeleting(cluster, 'finalizer');
  for (const name of faultyNames) {
    await argoCd.untilApplication('it is not well', name, (one) => !isSettled(one));
  }

  // With the faults still there, the next commit.
  await commit(world, 'The next revocation', declared(['stays'], [], 10));
  await refresh(world);
  await untilNowhere(world, 'second', 'update');
  expect(await where(cluster, 'stays', 'update')).toEqual(all);
  for (const name of faultyNames) {
    expect([name, isSettled((await argoCd.application(name))!)]).toEqual([name, false]);
  }

  // What Argo CD leaves, the operator removes.
  await untilNowhere(world, 'seer', 'get', [BINDING], 120_000);
}
