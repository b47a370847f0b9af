import { expect, test } from '@jest/globals';
import type { TenantSpec } from '../../../crds/types.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { APP_OBJECTS } from '../../../model/app-objects.ts';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { ObservedKind } from '../../../operator/cluster/kinds.ts';
import { TenantObjects } from '../../../operator/cluster/tenant-objects.ts';
import { HealAttempts, MAX_HEALINGS } from '../../../operator/heal/attempts.ts';
import type { HealClient } from '../../../operator/heal/policy.ts';
import {
  Revoker,
  UNDECLARED_GRACE,
  isAppliedFromGit,
  type RevokeResult,
} from '../../../operator/heal/revoker.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { Kind, Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import { liveTenant, platform } from '../given.ts';

interface Place {
  readonly namespace?: string;
  readonly tenant?: string;
  readonly manager?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The users that it binds. */
  readonly users?: readonly string[];
}

const apiVersions = { Namespace: 'v1', RoleBinding: 'rbac.authorization.k8s.io/v1' } as const;

function live(kind: keyof typeof apiVersions, name: string, place: Place = {}): Live {
  const { namespace, tenant = 'acme', manager = 'tenantry-operator', annotations, users } = place;
  return {
    apiVersion: apiVersions[kind],
    kind,
    metadata: {
      name,
      uid: `uid of ${name}`,
      resourceVersion: `7`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: tenant === '' ? {} : { [TENANT_LABEL]: tenant },
      managedFields: [{ manager }],
      ...(namespace !== undefined && { namespace }),
      ...(annotations && { annotations }),
    },
    ...(users && { subjects: users.map((user) => ({ kind: 'User', name: user })) }),
  } as Live;
}

const binding = (name: string, place: Place = {}): Live =>
  live('RoleBinding', name, { namespace: 'acme', ...place });
const space = (name: string, tenant = 'acme'): Live => live('Namespace', name, { tenant });

/** A cluster, and what the operator's cache holds of it. */
class World {
  readonly calls: string[] = [];
  /** The Tenant on the API server. */
  tenant: Live;
  readonly #there: Live[];
  readonly #cached: readonly Live[];
  readonly #revoker = new Revoker(platform, new HealAttempts());
  readonly #spec: TenantSpec;
  #now = 0;
  /** The error that a deletion returns, if any. */
  refusal: Error | undefined;

  /** Metadata of the Tenant. */
  readonly #metadata: Partial<Live['metadata']>;

  constructor(
    spec: TenantSpec,
    cached: readonly Live[],
    there = cached,
    metadata: Partial<Live['metadata']> = {},
  ) {
    this.#spec = spec;
    this.#metadata = metadata;
    this.tenant = liveTenant(spec, metadata);
    this.#cached = cached;
    this.#there = [...there];
  }

  /** Returns the names of the deleted bindings. */
  async revoke(
    declared: readonly string[] | 'unknown' = [],
    namespaces = ['acme'],
    byApp: readonly string[] = [],
  ) {
    const tenant = liveTenant(this.#spec, this.#metadata);
    const objectsOf = (names: readonly string[]) =>
      names.map((name) => binding(name) as KubeObject);
    const came = await this.#revoker.revoke({
      tenant,
      declared:
        declared === 'unknown'
          ? undefined
          : {
              tenant: 'acme',
              namespaces,
              objects: objectsOf(declared),
              appObjects: new Set(objectsOf(byApp).map(identityOf)),
            },
      objects: new TenantObjects(this.#cache()),
      client: this.#client(),
      now: () => this.#now,
    });
    return { ...came, revoked: came.revoked.map(({ metadata }) => metadata.name) };
  }

  /** Returns the reports on bindings that may not be deleted. */
  async report(namespaces = ['acme']): Promise<readonly string[]> {
    const problems = await this.#revoker.report({
      tenant: liveTenant(this.#spec, this.#metadata),
      declared: { tenant: 'acme', namespaces, objects: [] },
      objects: new TenantObjects(this.#cache()),
      client: this.#client(),
      now: () => this.#now,
    });
    return problems.map(({ reason, message }) => `${reason} ${message}`);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #find({ kind }: Pick<Kind, 'kind'>, { name, namespace }: ObjectName, of = this.#there) {
    if (kind === 'Tenant') return this.tenant;
    return of.find(
      (one) =>
        one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace,
    );
  }

  #cache(): CacheView<ObservedKind> {
    return {
      isRead: () => true,
      outageOf: () => undefined,
      unreadableOf: () => [],
      get: (kind, name) => this.#find(kind, name, [...this.#cached]) as never,
      list: (kind, { index } = {}) =>
        this.#cached.filter(
          (one) => one.kind === kind.kind && (!index || index.by(one as never).includes(index.is)),
        ) as never,
    };
  }

  #client(): HealClient {
    const client = {
      get: async (kind: Kind, name: ObjectName) => {
        this.calls.push(`get ${kind.kind} ${name.name}`);
        const found = this.#find(kind, name);
        if (!found) throw new ApiError({ code: 404, reason: 'NotFound', message: 'no' });
        return found;
      },
      delete: async (kind: Kind, name: ObjectName, options: unknown) => {
        this.calls.push(`delete ${kind.kind} ${name.name} ${JSON.stringify(options)}`);
        if (this.refusal) throw this.refusal;
      },
    };
    return client as unknown as HealClient;
  }
}

const revokedIn = async (world: World, ...asked: Parameters<World['revoke']>) =>
  (await world.revoke(...asked)).revoked;

const suspended: TenantSpec = { lifecycle: 'Suspended' };
const retired: TenantSpec = { lifecycle: 'Retired' };
const ofOthers = { manager: 'argocd-controller' };

test('an Active tenant loses undeclared bindings of the operator, and none of others', async () => {
  const world = new World({}, [
    space('acme'),
    binding('declared'),
    binding('ours'),
    binding('others', ofOthers),
    binding('strange', { tenant: '' }),
    binding('another', { tenant: 'bolt' }),
  ]);
  expect(await revokedIn(world, ['declared'])).toEqual(['ours']);
});

test('an Active tenant loses undeclared bindings of others after a minute', async () => {
  const world = new World({}, [
    space('acme'),
    binding('declared', ofOthers),
    binding('others', ofOthers),
    binding('strange', { ...ofOthers, tenant: '', users: ['bob'] }),
  ]);
  expect(await world.revoke(['declared'])).toMatchObject({
    revoked: [],
    retryAfter: UNDECLARED_GRACE,
  });
  world.pass(UNDECLARED_GRACE - 1);
  expect(await world.revoke(['declared'])).toMatchObject({ revoked: [], retryAfter: 1 });
  world.pass(1);
  expect(await world.revoke(['declared'])).toEqual({ revoked: ['others'], problems: [] });
});

test('the minute starts again after a declaration in between, and while revoking is not allowed', async () => {
  const objects = [space('acme'), binding('others', ofOthers)];
  const declared = new World({}, objects);
  await declared.revoke();
  declared.pass(UNDECLARED_GRACE / 2);
  await declared.revoke(['others']);
  declared.pass(UNDECLARED_GRACE / 2);
  expect(await declared.revoke()).toMatchObject({ revoked: [], retryAfter: UNDECLARED_GRACE });
  const observed = new World({}, objects);
  await observed.revoke();
  await observed.report();
  observed.pass(UNDECLARED_GRACE);
  expect(await observed.revoke()).toMatchObject({ revoked: [], retryAfter: UNDECLARED_GRACE });
});

test('a Tenant that is deleted while Active does not wait for bindings of others, and keeps them', async () => {
  const world = new World({}, [space('acme'), binding('others', ofOthers)], undefined, {
    deletionTimestamp: '2026-01-02T00:00:00Z',
  });
  expect(await world.revoke()).toEqual({ revoked: [], problems: [] });
  world.pass(UNDECLARED_GRACE);
  expect(await world.revoke()).toEqual({ revoked: [], problems: [] });
});

test('bindings that an app declares stay until the tenant is suspended', async () => {
  const objects = [space('acme'), binding('by-app', ofOthers)];
  const active = new World({}, objects);
  const revoke = (world: World) => world.revoke([], ['acme'], ['by-app']);
  expect(await revoke(active)).toEqual({ revoked: [], problems: [] });
  active.pass(UNDECLARED_GRACE);
  expect(await revoke(active)).toEqual({ revoked: [], problems: [] });
  expect(await revoke(new World(suspended, objects))).toMatchObject({ revoked: ['by-app'] });
});

test("nothing is revoked while the API server has another list of an app's declared bindings", async () => {
  const world = new World({}, [space('acme'), binding('others', ofOthers)]);
  await world.revoke();
  world.pass(UNDECLARED_GRACE);
  const annotations = { [APP_OBJECTS]: 'rbac.authorization.k8s.io/RoleBinding acme/others' };
  world.tenant = liveTenant({}, { annotations });
  expect(await world.revoke()).toEqual({ revoked: [], problems: [], retryAfter: 1_000 });
});

test('an Active tenant loses no bindings of others in a namespace that it no longer names', async () => {
  const objects = [space('left'), binding('others', { ...ofOthers, namespace: 'left' })];
  const world = new World({}, objects);
  await world.revoke();
  world.pass(UNDECLARED_GRACE);
  expect(await world.revoke()).toEqual({ revoked: [], problems: [] });
});

test('a Suspended tenant loses all undeclared bindings with its label', async () => {
  const world = new World(suspended, [
    space('acme'),
    binding('declared', ofOthers),
    binding('others', ofOthers),
    binding('strange', { ...ofOthers, tenant: '' }),
  ]);
  expect(await revokedIn(world, ['declared'])).toEqual(['others']);
});

const deletionTimestamp = '2026-01-02T00:00:00Z';
const tracked = {
  'argocd.argoproj.io/tracking-id': 'eu.acme:rbac.authorization.k8s.io/RoleBinding',
};

test('a tenant that left Git loses bindings that the operator created again, and no applied ones', async () => {
  const objects = [
    space('acme'),
    binding('applied', { annotations: tracked }),
    binding('others', ofOthers),
    binding('ours'),
  ];
  const declared = ['applied', 'others', 'ours'];
  const revoked = async (spec: TenantSpec, metadata: Partial<Live['metadata']>) =>
    revokedIn(new World(spec, objects, objects, metadata), declared);
  const flux = { 'kustomize.toolkit.fluxcd.io/name': 'tenants' };
  for (const applied of [{ annotations: tracked }, { labels: flux }]) {
    expect(await revoked({}, { ...applied, deletionTimestamp })).toEqual(['ours']);
    expect(await revoked(suspended, { ...applied, deletionTimestamp })).toEqual(['ours']);
    expect(await revoked({}, applied)).toEqual([]);
  }
  expect(await revoked({}, { deletionTimestamp })).toEqual([]);
  const unknown = new World({}, objects, objects, { annotations: tracked, deletionTimestamp });
  expect(await revokedIn(unknown, 'unknown')).toEqual(['ours']);
});

test('a namespace can be retired separately, and one that is no longer named stays until the tenant is retired', async () => {
  const objects = [
    space('acme'),
    space('left'),
    binding('here', ofOthers),
    binding('there', { namespace: 'left' }),
  ];
  const entry = { namespaces: [{ name: 'acme', lifecycle: 'Retired' as const }] };
  expect(await revokedIn(new World(entry, objects))).toEqual(['here']);
  expect(await revokedIn(new World(suspended, objects))).toEqual(['here']);
  expect(await revokedIn(new World(retired, objects))).toEqual(['here', 'there']);
});

test('without a known declaration only a Retired tenant loses its bindings', async () => {
  const objects = [space('acme'), binding('one')];
  expect(await revokedIn(new World(retired, objects), 'unknown')).toEqual(['one']);
  expect(await revokedIn(new World(suspended, objects), 'unknown')).toEqual([]);
  expect(await revokedIn(new World({}, objects), 'unknown')).toEqual([]);
});

test('a binding is deleted only if a fresh read shows that it belongs to the tenant', async () => {
  const cached = [space('acme'), binding('one')];
  const bound = (place: Place) => [space('acme'), binding('one', place)];
  expect(await revokedIn(new World(retired, cached, bound({ tenant: 'bolt' })))).toEqual([]);
  expect(await revokedIn(new World(retired, cached, bound({ tenant: '' })))).toEqual([]);
  const moved = [space('acme', 'bolt'), binding('one')];
  expect(await revokedIn(new World(retired, cached, moved))).toEqual([]);
  expect(await revokedIn(new World(retired, moved, cached))).toEqual([]);
  expect(await revokedIn(new World(retired, cached, [space('acme')]))).toEqual([]);
});

test('nothing is deleted in a protected namespace, whatever its label', async () => {
  for (const name of ['kube-system', 'default', 'argocd']) {
    const objects = [space(name), binding('one', { namespace: name })];
    expect(await revokedIn(new World(retired, objects), [], [name])).toEqual([]);
  }
});

test('a deletion names the state of the binding that was read', async () => {
  const world = new World(retired, [space('acme'), binding('one')]);
  await world.revoke();
  expect(world.calls).toEqual([
    'get Tenant acme',
    'get Namespace acme',
    'get RoleBinding one',
    'delete RoleBinding one {"preconditions":{"uid":"uid of one","resourceVersion":"7"}}',
  ]);
});

test('an outdated declaration changes nothing', async () => {
  const world = new World(retired, [space('acme'), binding('one')]);
  const { metadata } = world.tenant;
  Object.assign(metadata, { generation: 2 });
  const came: Omit<RevokeResult, 'revoked'> = await world.revoke();
  expect(came).toMatchObject({ revoked: [], problems: [], retryAfter: 1000 });
});

test('a binding of others is read once until it changes', async () => {
  const world = new World({}, [space('acme'), binding('others', ofOthers)]);
  await world.revoke();
  const asked = world.calls.length;
  expect(await revokedIn(world)).toEqual([]);
  expect(asked).toBeGreaterThan(0);
  expect(world.calls).toHaveLength(asked);
});

test("a refused deletion is reported with the API server's message, and retried with growing delays", async () => {
  const world = new World(retired, [space('acme'), binding('one')]);
  world.refusal = forbidden();
  const first = await world.revoke();
  expect(first).toMatchObject({
    revoked: [],
    problems: [{ reason: 'HealRefused', message: expect.stringContaining('access is for ever') }],
  });
  const asked = world.calls.length;
  const second = await world.revoke();
  expect(second.problems).toEqual(first.problems);
  expect(world.calls.slice(asked)).toEqual([]);
  world.pass(first.retryAfter!);
  const third = await world.revoke();
  expect(third.retryAfter).toBeGreaterThan(first.retryAfter!);
});

test('a binding that is created again and again is reported, and left alone for a while', async () => {
  const world = new World(retired, [space('acme'), binding('one')]);
  for (let i = 0; i < MAX_HEALINGS; i += 1) expect(await revokedIn(world)).toEqual(['one']);
  expect(await world.revoke()).toMatchObject({
    revoked: [],
    problems: [{ reason: 'Fought', message: expect.stringContaining('RoleBinding acme/one') }],
  });
});

const byHand = (name: string, users: readonly string[] = ['bob'], place: Place = {}): Live =>
  binding(name, { ...ofOthers, tenant: '', users, ...place });

test.each([
  ['Suspended', suspended],
  ['Retired', retired],
])('a manual binding gives nobody access in a %s namespace', async (_, spec) => {
  const world = new World(spec, [
    space('acme'),
    byHand('by-hand'),
    byHand('of-another', ['eve'], { tenant: 'bolt' }),
    byHand('empty', []),
    byHand('component', ['system:kube-scheduler']),
  ]);
  expect(await revokedIn(world)).toEqual(['by-hand', 'of-another']);
});

test('a manual binding stays in namespaces that are Active, of another tenant, or no longer named', async () => {
  const objects = [space('acme'), space('left'), space('theirs', 'bolt'), byHand('by-hand')];
  const left = byHand('left', ['bob'], { namespace: 'left' });
  const theirs = byHand('theirs', ['bob'], { namespace: 'theirs' });
  const all = [...objects, left, theirs];
  expect(await revokedIn(new World({}, all))).toEqual([]);
  expect(await revokedIn(new World(suspended, all))).toEqual(['by-hand']);
  expect(await revokedIn(new World(retired, all))).toEqual(['by-hand', 'left']);
  expect(await revokedIn(new World(retired, all), 'unknown')).toEqual(['by-hand', 'left']);
  expect(await revokedIn(new World(suspended, all), 'unknown')).toEqual([]);
});

test('a manual binding is deleted based on its current state, not the cached one', async () => {
  const cached = [space('acme'), byHand('one')];
  const becoming = (now: Live) => new World(retired, cached, [space('acme'), now]);
  expect(await revokedIn(becoming(byHand('one', [])))).toEqual([]);
  expect(await revokedIn(becoming(binding('one', { users: ['bob'] })))).toEqual([]);
  const moved = new World(retired, cached, [space('acme', 'bolt'), byHand('one')]);
  expect(await revokedIn(moved)).toEqual([]);
});

test('a binding without effective access is read once until it changes', async () => {
  const world = new World(retired, [space('acme'), byHand('empty', [])]);
  await world.revoke();
  const asked = world.calls.length;
  await world.revoke();
  expect(asked).toBeGreaterThan(0);
  expect(world.calls).toHaveLength(asked);
});

test('an observe-only operator reports manual bindings with their subjects, and deletes none', async () => {
  const world = new World(retired, [
    space('acme'),
    byHand('many', ['a', 'b', 'c', 'd']),
    byHand('empty', []),
    binding('labelled', { users: ['bob'] }),
  ]);
  const reported = await world.report();
  expect(reported).toEqual([
    'AccessRemains RoleBinding acme/many was made by hand and gives User a, User b, User c and more access in a Retired namespace: delete it, or set driftPolicy to Heal',
  ]);
  const asked = world.calls.length;
  expect(await world.report()).toEqual(reported);
  expect(world.calls).toHaveLength(asked);
  expect(world.calls.filter((call) => call.startsWith('delete'))).toEqual([]);
  expect(await new World({}, [space('acme'), byHand('one')]).report()).toEqual([]);
});

test('a manual binding that may not be deleted is also reported as access', async () => {
  const world = new World(retired, [space('acme'), byHand('one')]);
  world.refusal = forbidden();
  const reasons = async () => (await world.revoke()).problems.map(({ reason }) => reason);
  expect(await reasons()).toEqual(['HealRefused', 'AccessRemains']);
  expect(await reasons()).toEqual(['HealRefused', 'AccessRemains']);
});

test('of very many manual bindings the first ones are reported, and the others are counted', async () => {
  const many = Array.from({ length: 25 }, (__, at) => byHand(`b${String(at).padStart(2, '0')}`));
  const world = new World(retired, [space('acme'), ...many]);
  const reported = await world.report();
  expect(reported).toHaveLength(21);
  expect(reported.at(-1)).toContain('5 more role bindings');
  expect(world.calls).toHaveLength(20);
});

function forbidden(): ApiError {
  const message = 'access is for ever';
  return new ApiError({ code: 403, reason: 'Forbidden', message });
}

test('an object comes from Git if it has either mark of Argo CD, or that of Flux', () => {
  const tracked = { 'argocd.argoproj.io/tracking-id': 'eu.acme:tenantry.dev/Tenant:/acme' };
  for (const marked of [
    { annotations: tracked },
    { labels: { 'app.kubernetes.io/instance': 'eu.acme' } },
    { labels: { 'kustomize.toolkit.fluxcd.io/name': 'tenants' } },
  ]) {
    expect(isAppliedFromGit(liveTenant({}, marked))).toBe(true);
  }
  for (const other of [
    {},
    { labels: tracked },
    { annotations: { 'app.kubernetes.io/instance': 'x' }, labels: { team: 'a' } },
  ]) {
    expect(isAppliedFromGit(liveTenant({}, other))).toBe(false);
  }
});
