import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriftEntry, UndeclaredEntry } from '../../crds/tenant-status.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { Cluster } from '@tenantry/testing/controlplane/cluster';
import { applyObject, loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body, ObjectReference } from '@tenantry/testing/controlplane/objects';
import { waitFor, until } from '@tenantry/testing/waiting/until';
import { clientOf } from '../examples/operator.ts';
import type { Application, ApplicationResource } from './application.ts';
import { ArgoCd, partsOf } from './argocd.ts';
import { startOperator, type OperatorBeside } from './with-operator.ts';
import { changedObject, changes, declaration, view, type Change } from './changes.ts';
import { Company } from './company.ts';
import { Hand } from './hand.ts';
import { madeOnce } from './made-once.ts';
import {
  fieldDifferences,
  managedResources,
  type FieldDifference,
  type ManagedResource,
} from './managed-resources.ts';
import { argoCdTests } from './tests.ts';

const given = await argoCdTests();
const { test } = given;

/** Argo CD compares one tenant as rendered, with server-side apply, and the other with Argo CD's defaults. */
const tenants = ['shop', 'mint'] as const;
type Name = (typeof tenants)[number];

interface World {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly company: Company;
  readonly argoCd: ArgoCd;
  readonly operator: OperatorBeside;
  readonly hand: Hand;
  readonly revision: string;
}

const worldOf = madeOnce(start);

/** Both tenants are synced, automatic sync is off, and every change is made to both by hand. */
async function start(stack: AsyncDisposableStack): Promise<World> {
  const cluster = stack.use(await given.newCluster());
  const files = tenants.map((name) => [`tenants/${name}.yaml`, declaration(name)] as const);
  const operatorOf = { image: 'registry.example.com/tenantry:0.1.0' };
  const company = stack.use(new Company({ operator: operatorOf }, Object.fromEntries(files)));
  const revision = await company.merge('Begin');
  const argoCd = stack.use(await ArgoCd.start(cluster, { ...given, resync: 300 }));
  const rendered = (path: string): Body[] => loadObjects([join(company.dist, path)]) as Body[];
  for (const folder of ['crds', 'tenantclasses', 'operator']) {
    for (const object of rendered(`clusters/eu1/${folder}`)) {
      await applyObject(cluster.admin, object);
    }
  }
  for (const name of tenants) await argoCd.apply(...rendered(`argocd/projects/eu1/${name}.yaml`));
  for (const set of rendered('argocd/clusters/eu1/tenants.yaml')) {
    await argoCd.apply(asRendered(set, 'shop'), byDefaults(asRendered(set, 'mint')));
  }
  for (const name of tenants) {
    await argoCd.untilTenantSettled(`eu1.${name}`, revision);
    await automate(cluster, name, null);
  }
  const operator = await startOperator(cluster, company.platform);
  stack.defer(() => operator.stop());
  for (const name of tenants) {
    await until(`the operator finds ${name} as declared`, () => operator.isWell(name));
  }
  const hand = new Hand(cluster);
  for (const change of changes) {
    for (const name of tenants) await act(hand, change, name);
  }
  const client = clientOf(cluster.admin);
  const world = { cluster, client, company, argoCd, operator, hand, revision };
  for (const name of tenants) await untilSeen(world, name);
  return world;
}

/** The Application that an ApplicationSet creates for a tenant, but with retries after seconds. */
function asRendered(set: Body, name: Name): Body {
  const text = JSON.stringify(set.spec!['template'])
    .replace('"duration":"5s"', '"duration":"1s"')
    .replace('"maxDuration":"1m"', '"maxDuration":"4s"')
    .replaceAll('{{ .path.basename }}', name)
    .replaceAll('{{ .path.path }}', `dist/clusters/eu1/tenants/${name}`);
  const template = JSON.parse(text) as Body;
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...template };
}

/** The same Application without settings for applying and comparing. */
function byDefaults({ metadata, spec, ...rest }: Body): Body {
  const { annotations: _, ...named } = metadata!;
  const { syncOptions: __, ...syncPolicy } = spec!['syncPolicy'] as Record<string, unknown>;
  return { ...rest, metadata: named, spec: { ...spec, syncPolicy } };
}

const applicationsOf = (name: Name): string[] => partsOf(`eu1.${name}`);

const reference = (name: string): ObjectReference => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  namespace: 'argocd',
  name,
});

async function automate(cluster: Cluster, name: Name, automated: object | null): Promise<void> {
  for (const one of applicationsOf(name)) {
    const { status, body } = await cluster.admin.patch(reference(one), {
      spec: { syncPolicy: { automated } },
    });
    if (status !== 200) throw new Error(body.message);
  }
}

/** Returns the cached state of all objects of a tenant. */
async function managedOf(argoCd: ArgoCd, name: Name): Promise<ManagedResource[]> {
  const lists = await Promise.all(applicationsOf(name).map((one) => managedResources(argoCd, one)));
  return lists.flat();
}

/** Returns the status of all objects of a tenant in Argo CD. */
async function resourcesOf(argoCd: ArgoCd, name: Name): Promise<readonly ApplicationResource[]> {
  const found = await Promise.all(applicationsOf(name).map((one) => argoCd.application(one)));
  return found.flatMap((one) => one?.status?.resources ?? []);
}

function act(hand: Hand, change: Change, name: Name): Promise<void> {
  const { how } = change;
  const object = changedObject(change, name);
  if (how === 'deleted') return hand.delete(object);
  if ('metadata' in how || 'roleRef' in how) return hand.create(object, ofTenant(how, name));
  return hand.edit(object, how as Exclude<typeof how, Body>);
}

const ofTenant = <T>(value: T, name: Name): T =>
  JSON.parse(JSON.stringify(value).replaceAll('{tenant}', name)) as T;

type Named = Pick<ApplicationResource, 'kind' | 'namespace' | 'name'>;

const isOf =
  ({ kind, namespace, name }: ObjectReference) =>
  (one: Named): boolean =>
    one.kind === kind && one.name === name && (one.namespace ?? '') === (namespace ?? '');

/** Waits until Argo CD has compared all objects in their current state. */
async function untilSeen({ argoCd, cluster }: World, name: Name): Promise<void> {
  await until(
    `Argo CD has seen what was done to ${name}`,
    async () => {
      const managed = await managedOf(argoCd, name);
      for (const change of changes) {
        const object = changedObject(change, name);
        const seen = managed.find(isOf(object));
        const { status, body } = await cluster.admin.get(object);
        const version = status === 404 ? undefined : body.metadata?.resourceVersion;
        if (seen && seen.resourceVersion !== version) return false;
      }
      return true;
    },
    { every: 250 },
  );
  for (const one of applicationsOf(name)) await argoCd.refreshed(one);
}

/** Returns what Argo CD and the operator report about an object now. */
async function observeObject({ argoCd, client }: World, name: Name, object: ObjectReference) {
  const resources = await resourcesOf(argoCd, name);
  const managed = await managedOf(argoCd, name);
  const { status } = await client.get(Tenant, { name });
  const drift = (status?.drift ?? []).filter(isOf(object));
  const undeclared = (status?.undeclared ?? []).filter(isOf(object));
  return {
    sync: resources.find(isOf(object))?.status,
    differences: managed.filter(isOf(object)).flatMap(fieldDifferences).map(fieldText),
    drift: drift.map(driftText),
    statusEntries: [
      ...drift.map((one) => words(one.type, one)),
      ...undeclared.map((one) => words('undeclared', one)),
    ],
  };
}

type Entry = Partial<Pick<DriftEntry, 'desired'>> &
  Pick<UndeclaredEntry, 'field' | 'live' | 'manager'>;

const words = (type: string, { field, desired, live, manager }: Entry): string =>
  [type, field, desired, '→', live, manager && `by ${manager}`].filter(Boolean).join(' ');

/** To an API server a list is one value; the operator reports the entry. So lists are compared by field alone. */
function fieldText({ field, desired, live }: FieldDifference): string {
  const isWhole = field === '' || Array.isArray(desired) || Array.isArray(live);
  return isWhole ? field : `${field} ${JSON.stringify(desired)} → ${JSON.stringify(live)}`;
}

function driftText({ field = '', desired, live }: DriftEntry): string {
  const list = field.replace(/\[(?!").*/, '');
  const isWhole = field === '' || list !== field || (desired ?? live ?? '').startsWith('[');
  return isWhole ? list : `${field} ${desired} → ${live}`;
}

const sentences = {
  both: 'Argo CD and the operator report it with the same fields',
  'the operator': 'only the operator reports it',
  'Argo CD': 'only Argo CD reports it',
  nobody: 'neither reports it',
};

for (const change of changes) {
  test(`${change.what}: ${sentences[change.reportedBy]}`, async () => {
    const world = await worldOf();
    for (const name of tenants) {
      const statusEntries = ofTenant(change.statusEntries, name);
      const { differences, drift, sync } = await waitFor(
        `the operator reports drift of ${name}: ${statusEntries.join('; ')}`,
        async () => {
          const seen = await observeObject(world, name, changedObject(change, name));
          return { seen, answer: String(seen.statusEntries) === String(statusEntries) && seen };
        },
        { every: 100 },
      );
      const isArgoCds = change.reportedBy === 'both' || change.reportedBy === 'Argo CD';
      expect([name, differences.length > 0]).toEqual([name, isArgoCds]);
      expect(sync === 'OutOfSync').toBe(isArgoCds);
      expect(statusEntries.length > 0).toBe(
        change.reportedBy === 'both' || change.reportedBy === 'the operator',
      );
      if (change.reportedBy === 'both') expect(differences.toSorted()).toEqual(drift.toSorted());
    }
  });
}

test('neither reports anything else, and after a manual revert everything is as declared to both', async () => {
  const world = await worldOf();
  const { argoCd, client, operator, hand, revision } = world;
  for (const name of tenants) {
    const isNobodys = (one: Named): boolean =>
      !changes.some((change) => isOf(changedObject(change, name))(one));
    const seen = await resourcesOf(argoCd, name);
    expect(seen.map((one) => one.status)).toContain('OutOfSync');
    const other = seen.filter((one) => one.status !== 'Synced').filter(isNobodys);
    expect(other).toEqual([]);
    const status = (await client.get(Tenant, { name })).status;
    expect([...(status?.drift ?? []), ...(status?.undeclared ?? [])].filter(isNobodys)).toEqual([]);
    expect(status).not.toHaveProperty('moreDrift');
  }
  await hand.takeBack();
  for (const name of tenants) {
    await until(`the operator finds ${name} as declared`, () => operator.isWell(name));
    await argoCd.untilTenantSettled(`eu1.${name}`, revision);
    const managed = await managedOf(argoCd, name);
    expect(managed.flatMap(fieldDifferences)).toEqual([]);
    expect(managed.length).toBeGreaterThan(30);
  }
});

test('a manual change of a Tenant is a new declaration to the operator, and only Argo CD reports it', async () => {
  const world = await worldOf();
  const { client, hand, operator } = world;
  const object = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', name: 'mint' };
  await hand.edit(object, [{ op: 'replace', path: '/spec/quota/hard/pods', value: 12 }]);
  await waitFor(
    'Argo CD reports it',
    async () => {
      const seen = await observeObject(world, 'mint', object);
      const answer = String(seen.differences) === 'spec.quota.hard.pods 9 → 12';
      return { seen, answer };
    },
    { every: 100 },
  );
  const { drift, conditions } = await until('the operator has looked at it', async () => {
    const { metadata, status } = await client.get(Tenant, { name: 'mint' });
    return status?.observedGeneration === metadata.generation && status;
  });
  expect(drift).toBeUndefined();
  expect(findCondition(conditions, 'Ready')?.reason).toBe('RollingOut');
  await hand.takeBack();
  await until('the operator finds mint as declared', () => operator.isWell('mint'));
});

const RBAC_OF_SHOP = 'eu1.shop.tenantry.rbac';

const editorsOfShop = changedObject(
  changes.find(({ what }) => what.startsWith('a user is added'))!,
  'shop',
);

/** Returns the editors in a namespace of shop. */
async function editorsIn({ cluster }: World, namespace: string): Promise<readonly string[]> {
  const { body } = await cluster.admin.get({ ...editorsOfShop, namespace });
  return (body['subjects'] as readonly { readonly name: string }[]).map(({ name }) => name);
}

const declareShop = (
  { company }: World,
  message: string,
  declared: Parameters<typeof declaration>[1],
): Promise<string> =>
  company.merge(message, { 'tenants/shop.yaml': declaration('shop', declared) });

test('a binding with another role in place of a declared one delays no revocation, and is restored after its deletion', async () => {
  const world = await worldOf();
  const { argoCd, cluster, hand } = world;
  await automate(cluster, 'shop', null);
  const { body } = await cluster.admin.get(editorsOfShop);
  await hand.delete(editorsOfShop);
  const { labels = {}, annotations = {} } = body.metadata!;
  await hand.create(editorsOfShop, { ...body, metadata: { labels, annotations }, roleRef: view });
  await waitFor(
    'both tell it',
    async () => {
      const seen = await observeObject(world, 'shop', editorsOfShop);
      const answer =
        String(seen.statusEntries) === 'Changed roleRef.name "edit" → "view" by kubectl-edit';
      return { seen, answer: answer && seen.sync === 'OutOfSync' };
    },
    { every: 100 },
  );

  await automate(cluster, 'shop', { prune: true, selfHeal: true });
  const revoked = await declareShop(world, 'Revoke bob', { editors: ['alice'] });
  await argoCd.refresh(['eu1.shop']);
  const others = ['shop-a', 'shop-b', 'shop-c', 'shop-d'].filter(
    (one) => one !== editorsOfShop.namespace,
  );
  await until('bob edits nowhere else', async () => {
    const left = await Promise.all(others.map((one) => editorsIn(world, one)));
    return left.every((names) => String(names) === 'alice');
  });
  await argoCd.untilApplication('the status names the refused object', RBAC_OF_SHOP, ({ status }) =>
    Boolean(status?.operationState?.message?.includes('cannot change roleRef')),
  );

  await cluster.admin.delete(editorsOfShop);
  await argoCd.untilTenantSettled('eu1.shop', revoked);
  const { roleRef, subjects } = (await cluster.admin.get(editorsOfShop)).body;
  expect(roleRef).toEqual(body['roleRef']);
  expect(subjects).toEqual([expect.objectContaining({ name: 'alice' })]);
});

test('an object of a commit that the API server refuses fails alone, repeatedly, and access removed in that commit is gone', async () => {
  const world = await worldOf();
  const { argoCd, cluster } = world;
  const restarters = { ...editorsOfShop, name: 'tenant-role-restarter' };
  expect((await cluster.admin.get(restarters)).status).toBe(200);
  const isRefused = ({ status }: Application, revision: string): boolean =>
    status?.sync?.status === 'OutOfSync' &&
    status.sync.revision === revision &&
    Boolean(status.operationState?.message?.includes('field is immutable'));

  const scope = 'NotBestEffort';
  const first = await declareShop(world, 'Add bob', { scope });
  await argoCd.refresh(['eu1.shop']);
  await until('bob edits', async () => String(await editorsIn(world, 'shop-a')) === 'alice,bob');
  await argoCd.untilApplication('the status names the refused object', 'eu1.shop', (one) =>
    isRefused(one, first),
  );

  // During the retries: one subject less, and one binding less.
  const second = await declareShop(world, 'Revoke bob, and all restarters', {
    editors: ['alice'],
    restarters: [],
    scope,
  });
  await argoCd.refresh(['eu1.shop']);
  await until('bob and carol have no access', async () => {
    const left = await editorsIn(world, 'shop-a');
    return String(left) === 'alice' && (await cluster.admin.get(restarters)).status === 404;
  });
  await argoCd.untilApplication('the status still names it', 'eu1.shop', (one) =>
    isRefused(one, second),
  );
  // While it tries again, the message names no object.
  await argoCd.refreshed('eu1.shop');
  await argoCd.untilApplication('the next try is refused too', 'eu1.shop', (one) =>
    isRefused(one, second),
  );

  const mended = await declareShop(world, 'Leave the scope as it was', {});
  await argoCd.refresh(['eu1.shop']);
  await argoCd.untilSettled('eu1.shop', mended);
});

/** A policy that rejects every change of a quota. */
const frozen = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'frozen' },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['resourcequotas'],
            operations: ['UPDATE'],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'quotas are frozen' }],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'frozen' },
    spec: { policyName: 'frozen', validationActions: ['Deny'] },
  },
];

test('a foreign policy that rejects a bound delays no binding', async () => {
  const world = await worldOf();
  const { argoCd, cluster } = world;
  for (const object of frozen) await applyObject(cluster.admin, object);
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', namespace: 'shop-a', name: 'scoped' };
  await until('the policy is in force', async () => {
    const { status } = await cluster.admin.patch(quota, { metadata: { labels: { a: 'b' } } });
    return status === 422;
  });
  const declared = await declareShop(world, 'Revoke bob, and allow less', {
    editors: ['alice'],
    pods: 8,
  });
  await argoCd.refresh(['eu1.shop']);
  await argoCd.untilApplication('the status names the refused object', 'eu1.shop', ({ status }) =>
    Boolean(status?.operationState?.message?.includes('quotas are frozen')),
  );
  await until(
    'bob has no access',
    async () => String(await editorsIn(world, 'shop-a')) === 'alice',
  );

  for (const { apiVersion, kind, metadata } of frozen.toReversed()) {
    await cluster.admin.delete({ apiVersion, kind, name: metadata.name });
  }
  await argoCd.untilTenantSettled('eu1.shop', declared);
});

test('a field unknown to Argo CD prevents any comparison of that Application, and the next event hides the error', async () => {
  const world = await worldOf();
  const { argoCd, company } = world;
  const path = 'dist/clusters/eu1/tenants/shop/namespace-shop-a.yaml';
  const text = readFileSync(join(company.git.folder, path), 'utf8');
  const unknown = text.replace(/^( *)scopes:/m, '$1newer: 1\n$1scopes:');
  expect(unknown).not.toBe(text);
  const refused = company.git.commit('Use what a newer Kubernetes has', { [path]: unknown });
  await argoCd.refreshed('eu1.shop');
  await argoCd.untilApplication('it compares nothing', 'eu1.shop', ({ status }) =>
    Boolean(
      status?.sync?.status === 'Unknown' &&
      status.conditions?.some(({ type, message }) =>
        /ComparisonError.*structured merge diff.*newer: field not declared in schema/.test(
          `${type} ${message}`,
        ),
      ),
    ),
  );
  // After an event it treats what it could not compare as equal.
  const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'shop-a' };
  await world.cluster.admin.patch(namespace, { metadata: { labels: { team: 'blue' } } });
  await argoCd.untilSettled('eu1.shop', refused);
  company.git.commit('Take it back', { [path]: text });
  await argoCd.refresh(['eu1.shop']);
  await argoCd.untilSettled('eu1.shop', company.git.head);
});

test('with server-side diff a refused object blocks every sync of that Application, and revocations use another one', async () => {
  const world = await worldOf();
  const { argoCd, cluster } = world;
  const annotations = { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' };
  await cluster.admin.patch(reference('eu1.shop'), { metadata: { annotations } });
  /** Requests a refresh for each look, since Argo CD reports something else on its own. */
  const untilStuck = (): Promise<unknown> =>
    until(
      'Argo CD compares nothing',
      async () => {
        await argoCd.refreshed('eu1.shop');
        const { sync, conditions = [] } = (await argoCd.application('eu1.shop'))?.status ?? {};
        const hasComparisonError = conditions.some(
          ({ type, message }) =>
            type === 'ComparisonError' && message.includes('field is immutable'),
        );
        return hasComparisonError && sync?.status === 'Unknown';
      },
      { every: 250 },
    );
  await declareShop(world, 'Add bob', {});
  await argoCd.refresh(['eu1.shop']);
  await until('bob edits', async () => String(await editorsIn(world, 'shop-a')) === 'alice,bob');
  await declareShop(world, 'Revoke bob, and give a quota another scope', {
    editors: ['alice'],
    scope: 'NotBestEffort',
  });
  await untilStuck();
  await argoCd.refresh(['eu1.shop']);
  await until(
    'bob has no access',
    async () => String(await editorsIn(world, 'shop-a')) === 'alice',
  );
  await untilStuck();

  const mended = await declareShop(world, 'Leave the scope as it was', { editors: ['alice'] });
  await argoCd.refresh(['eu1.shop']);
  await argoCd.untilTenantSettled('eu1.shop', mended);
});
