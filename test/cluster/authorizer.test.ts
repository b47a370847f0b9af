import { expect } from '@jest/globals';
import fc from 'fast-check';
import { Authorizer } from '@tenantry/kube/authorizer/authorizer';
import { builtinPolicy as knownPolicy } from '@tenantry/kube/authorizer/builtin-policy';
import type { AuthorizationRequest } from '@tenantry/kube/authorizer/request';
import {
  buildRequester,
  formatSubject,
  parseAccountUser,
  type Requester,
} from '@tenantry/kube/authorizer/subjects';
import type { KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { startCluster, type ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { questions, worlds, type World } from './authorization-world.ts';
import { builtinPolicy } from './builtin-policy.ts';
import { apply } from './tenant.ts';

const given = await ownClusters();
const { test } = given;

const RBAC = 'rbac.authorization.k8s.io/v1';
const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'] as const;

/** Returns the API server's own decision. */
async function review(
  admin: Client,
  { user, groups }: Requester,
  request: AuthorizationRequest,
): Promise<boolean> {
  const spec = { user: user ?? '', groups: [...groups], ...attributes(request) };
  const { status, body } = await admin.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec,
  });
  if (status !== 201) throw new Error(`${JSON.stringify(spec)}: ${status} ${body.message}`);
  return (body.status as { allowed: boolean }).allowed;
}

function attributes(request: AuthorizationRequest): object {
  if ('path' in request) return { nonResourceAttributes: request };
  const [resource, ...subresource] = request.resource.split('/');
  const { verb, group, name, namespace } = request;
  return {
    resourceAttributes: {
      verb,
      group,
      resource,
      subresource: subresource.join('/'),
      name,
      namespace,
    },
  };
}

async function listPolicy({ admin }: ClusterAccess): Promise<KubeObject[]> {
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { body } = await admin.list({ apiVersion: RBAC, kind });
      return body.items!.map(
        (item) => ({ ...item, apiVersion: RBAC, kind }) as unknown as KubeObject,
      );
    }),
  );
  return lists.flat();
}

const rulesOf = ({ body }: { readonly body: Body }): string[] =>
  ((body['rules'] ?? []) as object[])
    .map((rule) => JSON.stringify(Object.entries(rule).toSorted()))
    .toSorted();

/** Waits until the controller manager has written the rules of the aggregated roles that our evaluation gives them. */
async function untilAggregated(
  { admin }: ClusterAccess,
  authorizer: Authorizer,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const [membership] = authorizer.listMemberships({ user: `probe of ${name}`, groups: [] });
    const rules = membership!.role!.rules.map(
      ({ source, ruleIndex }) => (source['rules'] as object[])[ruleIndex],
    );
    const wanted = [...new Set(rulesOf({ body: { rules } as unknown as Body }))];
    await until(`${name} has the rules of the others`, async () => {
      const found = rulesOf(await admin.get({ apiVersion: RBAC, kind: 'ClusterRole', name }));
      return JSON.stringify([...new Set(found)]) === JSON.stringify(wanted);
    });
  }
}

let sentinels = 0;

/** Waits until the authorizer of the API server has read all that was written before, of each kind. */
async function untilRead(cluster: ClusterAccess, namespace: string): Promise<void> {
  sentinels += 1;
  const name = `sentinel-${sentinels}`;
  const rules = [{ verbs: ['get'], apiGroups: ['sentinel'], resources: [name] }];
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  const refer = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const make = (kind: string, place: object, rest: object) => ({
    apiVersion: RBAC,
    kind,
    metadata: { name, ...place },
    ...rest,
  });
  const user = { user: name, groups: [] };
  const request = { verb: 'get', group: 'sentinel', resource: name };
  await apply(cluster, [
    make('Role', { namespace }, { rules }),
    make('RoleBinding', { namespace }, { roleRef: refer('Role'), subjects }),
  ]);
  await until('the roles of the namespace are read', () =>
    review(cluster.admin, user, { ...request, namespace }),
  );
  await apply(cluster, [
    make('ClusterRole', {}, { rules }),
    make('ClusterRoleBinding', {}, { roleRef: refer('ClusterRole'), subjects }),
  ]);
  await until('the cluster roles are read', () => review(cluster.admin, user, request));
}

async function remove({ admin }: ClusterAccess, objects: readonly KubeObject[]): Promise<void> {
  for (const { apiVersion, kind, metadata } of objects) {
    const { name, namespace } = metadata;
    await admin.delete({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
  }
}

/** Bindings by which the rules of aggregated roles can be listed. */
const probes = (names: readonly string[]): KubeObject[] =>
  names.map((name) => ({
    apiVersion: RBAC,
    kind: 'ClusterRoleBinding',
    metadata: { name: `probe-${name}` },
    roleRef: { kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name: `probe of ${name}` }],
  }));

/** The number of requests that are sent at the same time. */
const AT_ONCE = 40;

async function compare(
  cluster: ClusterAccess,
  world: World,
  { seed, numRuns }: { readonly seed: number; readonly numRuns: number },
) {
  const files = new Authorizer(world.objects, { isComplete: false });
  const live = new Authorizer(await listPolicy(cluster), { isComplete: true });
  const counts = { yes: 0, no: 0, unknown: 0 };
  const wrong: unknown[] = [];
  const asked = fc.sample(questions(world), { seed, numRuns }).values();
  const work = async (): Promise<void> => {
    for (const { subject, groups, request } of asked) {
      const requester = buildRequester(subject, groups);
      const allowed = await review(cluster.admin, requester, request);
      const [{ answer }, known] = [
        live.decide(requester, request),
        files.decide(requester, request),
      ];
      if (answer !== (allowed ? 'yes' : 'no'))
        wrong.push({ subject, groups, request, allowed, live: answer });
      if (known.answer !== 'unknown' && known.answer !== (allowed ? 'yes' : 'no')) {
        wrong.push({ subject, groups, request, allowed, files: known.answer });
      }
      counts[known.answer] += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { counts, wrong };
}

const clusterOptions = { controllerManager: true } as const;

test('every answer about roles and bindings is that of the API server', async () => {
  await using cluster = await startCluster({ ...clusterOptions, binaries: given.binaries });
  // One world has the answers to a few thousand questions.
  const { seed, numRuns } = runs(6_000);
  const rounds = Math.max(4, Math.ceil(numRuns / 10_000));
  const totals = { yes: 0, no: 0, unknown: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const [world] = fc.sample(worlds(`w${round}`), { seed: seed + round, numRuns: 1 });
    const { namespaces, objects } = world!;
    const spaces = namespaces.map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    }));
    await apply(cluster, [...spaces, ...objects] as Body[]);
    const aggregated = [
      'edit',
      'admin',
      ...objects.filter((one) => 'aggregationRule' in one).map(({ metadata }) => metadata.name),
    ];
    const probed = new Authorizer([...objects, ...probes(aggregated)], { isComplete: false });
    await untilAggregated(cluster, probed, aggregated);
    await untilRead(cluster, namespaces[0]!);
    const { counts, wrong } = await compare(cluster, world!, {
      seed: seed + round,
      numRuns: Math.ceil(numRuns / rounds),
    });
    expect(wrong).toEqual([]);
    for (const answer of ['yes', 'no', 'unknown'] as const) totals[answer] += counts[answer];
    await remove(cluster, objects);
  }
  // Questions with one answer only would show nothing.
  const least = Math.min(totals.yes, totals.no);
  expect(least).toBeGreaterThan(numRuns / 10);
  expect(totals.unknown).toBeGreaterThan(numRuns / 100);
  if (process.env['TENANTRY_LONG'] === '1') console.log(`answers: ${JSON.stringify(totals)}`);
}, 900_000);

/** Returns the subjects that are exactly the user of a requester. */
function listUserNames({ user }: Requester): string[] {
  if (user === undefined) return [];
  const account = parseAccountUser(user);
  return [
    formatSubject({ kind: 'User', name: user }),
    ...(account ? [formatSubject(account)] : []),
  ];
}

test('who can do something is everybody who is allowed it', () => {
  const { seed, numRuns } = runs(200);
  const [world] = fc.sample(worlds('who'), { seed, numRuns: 1 });
  const authorizer = new Authorizer(world!.objects, { isComplete: false });
  for (const { request } of fc.sample(questions(world!), { seed, numRuns })) {
    const { grants } = authorizer.findSubjects(request);
    const found = new Set(grants.map(({ subject }) => formatSubject(subject)));
    for (const subject of world!.subjects) {
      const requester = buildRequester(subject);
      const names = [
        formatSubject(subject),
        ...listUserNames(requester),
        ...requester.groups.map((name) => formatSubject({ kind: 'Group', name })),
      ];
      const isFound = names.some((name) => found.has(name));
      const { answer } = authorizer.decide(requester, request);
      expect([subject, request, answer === 'yes']).toEqual([subject, request, isFound]);
    }
  }
});

test('the known roles and bindings are those that an API server creates itself', async () => {
  await using cluster = await given.newCluster();
  expect(await builtinPolicy(cluster.admin)).toBe(knownPolicy.trim());
});
