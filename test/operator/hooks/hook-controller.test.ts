import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import { tenant } from '../../../crds/tenant.ts';
import { tenantClass } from '../../../crds/tenant-class.ts';
import type { HookReceipt } from '../../../crds/tenant-status.ts';
import type { Hook, TenantSpec } from '../../../crds/types.ts';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { HOOK_FINALIZER, hookController } from '../../../operator/hooks/hook-controller.ts';
import { HookRefused, type HookCall } from '../../../operator/hooks/sender.ts';
import type { Receiver } from '../../../operator/hooks/attempt.ts';
import { ObservedCluster } from '@tenantry/runtime/test/observed-cluster';
import { Running } from '@tenantry/runtime/test/controller/running';

const second = 1000;
const hour = 60 * 60 * second;

const hook = (more: Partial<Hook> = {}): Hook => ({
  name: 'cmdb',
  events: ['Onboarded'],
  secret: 'cmdb',
  webhook: { url: 'https://cmdb.example.com' },
  ...more,
});

const both = ['Onboarded', 'Offboarding'] as const;

/** How the receiver handles a call. */
type Behaviour = (call: HookCall, hook: string) => Promise<string> | string;

/** The hook controller on a simulated cluster, with a receiver in place of the network. */
class RunningHooks extends Running {
  readonly calls: (HookCall & { readonly hook: string })[] = [];
  readonly searched: string[] = [];
  /** The reference that the receiver returns for a call that an earlier attempt delivered. */
  known: string | undefined;
  behave: Behaviour;

  constructor(
    hooks: readonly Hook[],
    behave: Behaviour = () => 'taken',
    cluster = new ObservedCluster({ definitions: [tenant, tenantClass] }),
  ) {
    const platform = resolvePlatform({
      clusters: [{ name: 'eu' }, { name: 'us' }],
      defaultClass: 'standard',
      operator: { hooks },
    });
    const receiverOf = ({ name }: Hook): Receiver => ({
      address: new URL('https://cmdb.example.com'),
      sender: {
        find: async ({ key }) => {
          this.searched.push(key);
          return this.known;
        },
        send: async (call) => {
          this.calls.push({ ...call, hook: name });
          return this.behave(call, name);
        },
      },
    });
    const random = (): number => 0;
    const props = { platform, cluster: 'eu', credentials: '/nowhere', random, receiverOf };
    super(hookController(props), { cluster });
    this.behave = behave;
  }

  /** Declares a Tenant with this reason in its Ready condition. */
  async declare(name = 'acme', spec: TenantSpec = {}, reason = 'AsDeclared'): Promise<void> {
    this.cluster.put(Tenant, { metadata: { name }, spec });
    this.setReadyCondition(name, reason);
    await this.pass();
  }

  setReadyCondition(name: string, reason: string, observedGeneration?: number): void {
    const { metadata } = this.cluster.api.get(Tenant, { name });
    const isReady = reason === 'AsDeclared' || reason === 'NotDeclaredHere';
    const status = isReady ? ('True' as const) : ('False' as const);
    const condition = {
      type: 'Ready',
      status,
      reason,
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const generation = observedGeneration ?? metadata.generation ?? 1;
    const patch = { status: { observedGeneration: generation, conditions: [condition] } };
    this.cluster.api.patch(Tenant, { name }, patch, { subresource: 'status' });
  }

  receipts(name = 'acme'): readonly HookReceipt[] {
    return this.cluster.api.get(Tenant, { name }).status?.hooks ?? [];
  }

  finalizers(name = 'acme'): readonly string[] | undefined {
    return this.cluster.peek(Tenant, { name })?.metadata.finalizers;
  }

  isThere(name = 'acme'): boolean {
    return this.cluster.peek(Tenant, { name }) !== undefined;
  }

  async delete(name = 'acme'): Promise<void> {
    this.cluster.api.delete(Tenant, { name });
    await this.pass();
  }

  get deliveries(): string[] {
    return this.calls.map((one) => `${one.hook} ${one.event} ${one.tenant.name}`);
  }
}

const refuse =
  (message: string, options: Partial<ConstructorParameters<typeof HookRefused>[1]> = {}) =>
  (): never => {
    throw new HookRefused(message, { final: false, ...options });
  };

test('a tenant is onboarded once, when it is ready for the first time', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  await operator.declare('acme', { contact: { team: 'a' } }, 'Drifted');
  expect(operator.deliveries).toEqual([]);
  operator.setReadyCondition('acme', 'AsDeclared', 0);
  await operator.pass();
  expect(operator.deliveries).toEqual([]);
  operator.setReadyCondition('acme', 'AsDeclared');
  await operator.pass();
  operator.setReadyCondition('acme', 'Drifted');
  operator.setReadyCondition('acme', 'AsDeclared');
  await operator.pass(hour);
  expect(operator.deliveries).toEqual(['cmdb Onboarded acme']);
  expect(operator.calls[0]).toMatchObject({
    at: '2026-01-01T00:00:00Z',
    tenant: {
      name: 'acme',
      className: 'standard',
      cluster: 'eu',
      namespaces: ['acme'],
      contact: { team: 'a' },
    },
  });
  expect(operator.receipts()).toEqual([
    expect.objectContaining({
      hook: 'cmdb',
      event: 'Onboarded',
      state: 'Delivered',
      attempts: 1,
      reference: 'taken',
      key: operator.calls[0]!.key,
    }),
  ]);
  expect(operator.finalizers()).toBeUndefined();
  expect(operator.searched).toEqual([]);
});

test('an attempt is recorded in the status before it begins', async () => {
  const seen: unknown[] = [];
  const operator = new RunningHooks([hook()], () => {
    seen.push(operator.receipts());
    return 'taken';
  });
  await using _ = await operator.start();
  await operator.declare();
  expect(seen).toEqual([[expect.objectContaining({ state: 'Sending', attempts: 1 })]]);
});

test('no hook is called for a tenant of another class, cluster or time, without objects here, or cordoned', async () => {
  const hooks = [
    hook({ name: 'class', classes: ['strict'] }),
    hook({ name: 'cluster', clusters: ['us'] }),
    hook({ name: 'since', since: '2030-01-01T00:00:00Z' }),
    hook({ name: 'all', classes: ['standard'], clusters: ['eu'], since: '2020-01-01T00:00:00Z' }),
  ];
  await using operator = await new RunningHooks(hooks).start();
  await operator.declare('acme');
  await operator.declare('away', {}, 'NotDeclaredHere');
  await operator.declare('cordoned', { cordoned: true });
  await operator.declare('strict', { className: 'strict' });
  expect(operator.deliveries).toEqual(['all Onboarded acme', 'class Onboarded strict']);
});

test('a failed call is retried after 5 s, then after doubled delays up to an hour, and each retry looks for its result first', async () => {
  await using operator = await new RunningHooks([hook()], refuse('answered 500')).start();
  await operator.declare();
  const [{ key } = { key: '' }] = operator.calls;
  expect(operator.receipts()).toEqual([
    expect.objectContaining({
      state: 'Failed',
      message: 'answered 500',
      nextAttempt: '2026-01-01T00:00:05Z',
    }),
  ]);
  const times: number[] = [];
  for (let past = 0; times.length < 12; past += second) {
    const before = operator.calls.length;
    await operator.pass(second);
    if (operator.calls.length > before) times.push(past / second + 1);
  }
  const waits = times.map((time, i) => time - (times[i - 1] ?? 0));
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  expect(new Set(operator.calls.map((one) => one.key))).toEqual(new Set([key]));
  expect(operator.searched).toHaveLength(operator.calls.length - 1);
  operator.known = 'build 7';
  const sent = operator.calls.length;
  await operator.pass(hour);
  expect(operator.calls).toHaveLength(sent);
  expect(operator.receipts()).toEqual([
    expect.objectContaining({ state: 'Delivered', reference: 'build 7', attempts: 14 }),
  ]);
});

test('a requested delay of the receiver also applies to calls for other tenants', async () => {
  const busy = refuse('answered 429', { retryAfter: 60, isBusy: true });
  await using operator = await new RunningHooks([hook(), hook({ name: 'other' })]).start();
  operator.behave = (_, name) => (name === 'cmdb' ? busy() : 'taken');
  await operator.declare('acme');
  await operator.declare('bolt');
  expect(operator.deliveries).toEqual([
    'cmdb Onboarded acme',
    'other Onboarded acme',
    'other Onboarded bolt',
  ]);
  operator.behave = () => 'taken';
  await operator.pass(59 * second);
  expect(operator.deliveries).toHaveLength(3);
  await operator.pass(2 * second);
  expect(operator.deliveries.slice(3).toSorted()).toEqual([
    'cmdb Onboarded acme',
    'cmdb Onboarded bolt',
  ]);
});

test('a permanently rejected call is tried again only after a change of the hook', async () => {
  const cluster = new ObservedCluster({ definitions: [tenant, tenantClass] });
  const first = await new RunningHooks(
    [hook()],
    refuse('answered 404', { final: true }),
    cluster,
  ).start();
  await first.declare();
  await first.pass(48 * hour);
  expect(first.calls).toHaveLength(1);
  expect(first.receipts()[0]).not.toHaveProperty('nextAttempt');
  await first.stop();
  const same = await new RunningHooks([hook()], undefined, cluster).start();
  await same.pass(hour);
  await same.stop();
  expect(same.calls).toEqual([]);
  const mended = hook({ webhook: { url: 'https://cmdb.example.com/v2' } });
  await using another = await new RunningHooks([mended], undefined, cluster).start();
  await another.pass(second);
  expect(another.calls.map(({ key }) => key)).toEqual(first.calls.map(({ key }) => key));
  expect(another.receipts()[0]).toMatchObject({ state: 'Delivered', attempts: 2 });
});

test('a Tenant waits for its offboarding hooks only', async () => {
  const hooks = [hook({ events: both }), hook({ name: 'last', events: ['Offboarding'] })];
  await using operator = await new RunningHooks(hooks).start();
  await operator.declare('acme');
  expect(operator.finalizers()).toEqual([HOOK_FINALIZER]);
  let isThere: boolean | undefined;
  operator.behave = () => {
    isThere = operator.isThere();
    return 'taken';
  };
  await operator.delete('acme');
  expect(isThere).toBe(true);
  expect(operator.isThere()).toBe(false);
  expect(operator.deliveries).toEqual([
    'cmdb Onboarded acme',
    'cmdb Offboarding acme',
    'last Offboarding acme',
  ]);
});

test('no offboarding call is made for a tenant that was never onboarded', async () => {
  await using operator = await new RunningHooks([hook({ events: both })]).start();
  await operator.declare('acme', {}, 'Refused');
  expect(operator.finalizers()).toBeUndefined();
  await operator.delete('acme');
  expect(operator.isThere()).toBe(false);
  expect(operator.deliveries).toEqual([]);
});

test('a hook that always fails delays a deletion for `giveUpHours` and no longer', async () => {
  const lasting = hook({ events: both, giveUpHours: 2 });
  await using operator = await new RunningHooks([lasting]).start();
  await operator.declare();
  operator.behave = refuse('answered 500');
  await operator.delete();
  await operator.pass(2 * hour - 10 * second);
  expect(operator.isThere()).toBe(true);
  expect(operator.calls.length).toBeGreaterThan(5);
  await operator.pass(20 * second);
  expect(operator.isThere()).toBe(false);
});

test('so does a hook that rejects permanently, without another call', async () => {
  await using operator = await new RunningHooks([hook({ events: both })]).start();
  await operator.declare();
  operator.behave = refuse('answered 410', { final: true });
  await operator.delete();
  await operator.pass(23 * hour);
  expect([operator.isThere(), operator.calls.length]).toEqual([true, 2]);
  await operator.pass(2 * hour);
  expect([operator.isThere(), operator.calls.length]).toEqual([false, 2]);
});

test('a Tenant whose hook no longer wants offboarding calls loses the finalizer', async () => {
  const cluster = new ObservedCluster({ definitions: [tenant, tenantClass] });
  const first = await new RunningHooks([hook({ events: both })], undefined, cluster).start();
  await first.declare();
  expect(first.finalizers()).toEqual([HOOK_FINALIZER]);
  await first.stop();
  await using second = await new RunningHooks([hook()], undefined, cluster).start();
  expect(second.finalizers()).toBeUndefined();
  expect(second.calls).toEqual([]);
});

test('an outcome that could not be written is written later, and nothing is sent again', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  let writes = 0;
  operator.cluster.before = (call) => {
    if (call.startsWith('patch tenants') && (writes += 1) === 2) throw new Error('away');
  };
  await operator.declare();
  expect(operator.receipts()).toEqual([expect.objectContaining({ state: 'Delivered' })]);
  await operator.pass(hour);
  expect(operator.receipts()).toEqual([expect.objectContaining({ state: 'Delivered' })]);
  expect(operator.calls).toHaveLength(1);
});

test('an attempt with an unknown outcome is retried after its timeout', async () => {
  const cluster = new ObservedCluster({ definitions: [tenant, tenantClass] });
  const first = await new RunningHooks(
    [hook()],
    () => new Promise(() => undefined),
    cluster,
  ).start();
  await first.declare();
  first.cutting.abort();
  first.stopping.abort();
  const next = new RunningHooks([hook()], undefined, cluster);
  next.known = undefined;
  await using _ = await next.start();
  await next.pass(10 * second);
  expect(next.calls).toEqual([]);
  await next.pass(2 * second);
  expect(next.calls.map(({ key }) => key)).toEqual(first.calls.map(({ key }) => key));
  expect(next.searched).toEqual([first.calls[0]!.key]);
});

test('a reconcile with an outdated status begins nothing', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  let isFirst = true;
  operator.cluster.before = (call) => {
    if (!call.startsWith('patch tenants') || !isFirst) return;
    isFirst = false;
    operator.cluster.touch(Tenant, { name: 'acme' });
  };
  await operator.declare();
  expect([operator.outcomes.includes('conflict'), operator.calls.length]).toEqual([true, 0]);
  await operator.pass(second);
  expect(operator.calls).toHaveLength(1);
});

test('an outcome is written to its own receipt, despite concurrent writes of the status', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  let writes = 0;
  operator.cluster.before = (call) => {
    if (!call.startsWith('patch tenants') || (writes += 1) !== 2) return;
    operator.cluster.touch(Tenant, { name: 'acme' });
  };
  await operator.declare();
  await operator.pass(second);
  expect(operator.outcomes).toContain('conflict');
  expect(operator.receipts()).toEqual([
    expect.objectContaining({ state: 'Delivered', attempts: 1 }),
  ]);
  expect(operator.calls).toHaveLength(1);
});

test('no call is made for a tenant that is deleted before its receipt is written', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  let isFirst = true;
  operator.cluster.before = (call) => {
    if (!call.startsWith('patch tenants') || !isFirst) return;
    isFirst = false;
    operator.cluster.api.delete(Tenant, { name: 'acme' });
  };
  await operator.declare();
  await operator.pass(hour);
  expect([isFirst, operator.isThere(), operator.deliveries]).toEqual([false, false, []]);
});

test('the timeout of an attempt counts from the moment at which its receipt was written', async () => {
  await using operator = await new RunningHooks([hook()]).start();
  let isFirst = true;
  operator.cluster.after = async (call) => {
    if (!call.startsWith('patch tenants') || !isFirst) return;
    isFirst = false;
    await operator.cluster.clock.sleep(10 * second);
  };
  await operator.declare();
  await operator.pass(10 * second);
  expect(operator.calls).toEqual([]);
  expect(operator.receipts()).toMatchObject([
    { state: 'Failed', attempts: 1, message: 'its receipt took too long to write' },
  ]);
  await operator.pass(10 * second);
  expect(operator.deliveries).toEqual(['cmdb Onboarded acme']);
});

test('an unexpected error is reported without its message', async () => {
  const operator = new RunningHooks([hook()], () => {
    throw new Error('planted secret');
  });
  await using _ = await operator.start();
  await operator.declare();
  expect(operator.receipts()[0]).toMatchObject({ message: 'the call could not be made' });
  expect(JSON.stringify([operator.lines, operator.receipts()])).not.toContain('planted');
});
