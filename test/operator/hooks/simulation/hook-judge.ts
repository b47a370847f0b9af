import { isDeepStrictEqual } from 'node:util';
import type { HookReceipt } from '../../../../crds/tenant-status.ts';
import type { Hook, HookEvent } from '../../../../crds/types.ts';
import { Tenant } from '../../../../operator/cluster/kinds.ts';
import type { HookCall } from '../../../../operator/hooks/sender.ts';
import { Event } from '@tenantry/runtime/kinds/events';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { ClusterView, SeenChange } from '@tenantry/testing/simulation/cluster-view';
import type { Reply } from '../doubles/served.ts';
import { cluster } from './hook-platform.ts';
import type { Receivers } from './receivers.ts';

type LiveTenant = Live<typeof Tenant>;

const finalizer = 'tenantry.dev/hooks';
const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
/** Milliseconds during which a write of a program that has ended may still arrive. */
const grace = 60_000;
/** Milliseconds that an attempt may take. */
const longest = 10_000;

/** The hooks that the platform declared, and the time until which a program ran with them. */
interface Declared {
  readonly hooks: readonly Hook[];
  until: number;
}

/** The last answer to a call. */
interface Answered {
  readonly at: number;
  readonly reply: Reply;
  readonly hook: Hook;
}

export interface HookJudgeProps {
  /** The error of the operator's clock in milliseconds. */
  readonly skew: number;
  /** Whether the hook controller is the only controller of the operator that writes. */
  readonly isAlone: boolean;
}

/** Counts the judged events, because a schedule without them proves little. */
export interface Tally {
  onboarded: number;
  offboarded: number;
  failed: number;
  givenUp: number;
  /** Attempts that followed an attempt with an unknown outcome. */
  takenUp: number;
}

/**
 * Judges the calls and writes of an operator with hooks. It uses only the declared hooks, the Tenants and the state of
 * the receivers, and none of the code under test.
 */
export class HookJudge {
  readonly #props: HookJudgeProps;
  readonly receivers: Receivers;
  readonly tally: Tally;
  readonly #declared: Declared[] = [];
  readonly #gone = new Map<string, { readonly at: number; readonly last: LiveTenant }>();
  readonly #keys = new Map<string, string>();
  readonly #answered = new Map<string, Answered>();
  /** Hooks whose declaration ever changed, and tenants whose class did. */
  readonly #unsteady = new Set<string>();
  /** The first violation in calls, logs and errors, which are not writes to the server. */
  #wrong: Error | undefined;

  constructor(props: HookJudgeProps, receivers: Receivers, tally: Tally) {
    this.#props = props;
    this.receivers = receivers;
    this.tally = tally;
  }

  /** Records that a program starts with these hooks. */
  starts(hooks: readonly Hook[], now: number): void {
    const last = this.#declared.at(-1);
    if (last) {
      last.until = now;
      const names = new Set([...last.hooks, ...hooks].map(({ name }) => name));
      for (const name of names) {
        const [a, b] = [last.hooks, hooks].map((all) => all.find((one) => one.name === name));
        if (!isDeepStrictEqual(a, b)) this.#unsteady.add(name);
      }
    }
    this.#declared.push({ hooks, until: Infinity });
  }

  /** Checks a request that a program with these hooks sends. */
  leaves(hooks: readonly Hook[], name: string, call: HookCall, url: URL, view: ClusterView): void {
    this.#answered.delete(call.key);
    this.#note(() => {
      const about = `${name} ${call.event} ${call.tenant.name} (${call.tenant.uid})`;
      const declared = hooks.find((one) => one.name === name);
      if (!declared || !url.href.startsWith(addressIn(declared))) {
        throw new Error(`${about}: ${url.href} is called, which the platform does not declare`);
      }
      this.#expectClaimed(about, name, call, view);
    });
  }

  #expectClaimed(about: string, hook: string, call: HookCall, view: ClusterView): void {
    const { name, uid, cluster: where } = call.tenant;
    const live = view.get(Tenant, { name });
    const isThere = live?.metadata.uid === uid;
    const gone = this.#gone.get(uid);
    if (!isThere && !(gone && view.now - gone.at < grace)) {
      throw new Error(`${about}: is called for a tenant that does not exist`);
    }
    const receipt = receiptOf(isThere ? live : gone!.last, hook, call.event);
    if (receipt?.state !== 'Sending' || receipt.key !== call.key) {
      throw new Error(`${about}: is called with the receipt ${JSON.stringify(receipt)}`);
    }
    const end = Date.parse(receipt.lastAttempt ?? '') - start + longest + 1000;
    if (view.now > end + this.#props.skew) {
      throw new Error(`${about}: is called after the timeout of the attempt`);
    }
    if (where !== cluster) throw new Error(`${about}: names another cluster`);
  }

  /** Records a timely answer. */
  answered(hook: Hook, { key }: HookCall, reply: Reply, now: number): void {
    this.#answered.set(key, { at: now, reply, hook });
  }

  /** Checks that the receivers did nothing twice. */
  done(): void {
    this.#note(() => {
      const { deeds } = this.receivers;
      const twice = deeds.filter((one, at) => deeds.indexOf(one) !== at);
      if (twice.length > 0) throw new Error(`it was done twice: ${twice.join(', ')}`);
    });
  }

  /** Checks a logged or thrown text for secrets. */
  hears(text: string): void {
    this.#note(() => this.#expectNoSecret('a log', text));
  }

  /** @throws {Error} for a violation in calls, logs or errors */
  expectCallsRight(): void {
    if (this.#wrong) throw this.#wrong;
  }

  /** @throws {Error} for a write that contradicts the receivers' state, or that removes a tenant too early */
  take(view: ClusterView, change: SeenChange): void {
    this.expectCallsRight();
    const eventChange = change.of(Event);
    if (eventChange) this.#expectNoSecret('an event', JSON.stringify(eventChange.after));
    const tenant = change.of(Tenant);
    if (!tenant) return;
    const { before, after } = tenant;
    this.#expectNoSecret('a Tenant', JSON.stringify(after));
    if (before && after && classOf(before) !== classOf(after)) {
      this.#unsteady.add(before.metadata.uid);
    }
    if (before && after && change.who.startsWith('operator')) this.#write(before, after, view.now);
    if (before && !after) this.#goes(before, view.now);
  }

  /** @throws {Error} if a call is missing, or a Tenant waits for nothing */
  expectAllDelivered(view: ClusterView): void {
    this.expectCallsRight();
    const { hooks } = this.#declared.at(-1)!;
    for (const one of view.list(Tenant)) {
      const { name, deletionTimestamp, finalizers = [] } = one.metadata;
      if (deletionTimestamp !== undefined) throw new Error(`${name} is still there`);
      for (const hook of hooks) this.#expectDelivered(hook, one);
      const must = hooks.some((hook) => mustHear(hook, one));
      if (must !== finalizers.includes(finalizer)) {
        throw new Error(`${name} must ${must ? '' : 'not '}have the finalizer, got ${finalizers}`);
      }
    }
  }

  #expectDelivered(hook: Hook, one: LiveTenant): void {
    const { name, uid } = one.metadata;
    if (!hook.events.includes('Onboarded') || !isFor(hook, one)) return;
    const receipt = receiptOf(one, hook.name, 'Onboarded');
    if (!receipt && !isReady(one)) return;
    if (receipt?.state === 'Delivered') return;
    if (receipt?.state === 'Failed') {
      const isAsDeclared = isDeepStrictEqual(this.#answered.get(receipt.key)?.hook, hook);
      if (receipt.nextAttempt === undefined && this.#isFinal(receipt.key) && isAsDeclared) return;
      const isTaken = this.receivers.isTaken(`team-${name}`, uid);
      if (hook.name === 'channel' && isTaken) return;
    }
    throw new Error(`${hook.name} was not called for ${name}: ${JSON.stringify(receipt)}`);
  }

  #write(before: LiveTenant, after: LiveTenant, now: number): void {
    if (this.#props.isAlone && !isDeepStrictEqual(besides(before), besides(after))) {
      throw new Error(
        `the operator wrote more of ${before.metadata.name} than receipts and the finalizer`,
      );
    }
    for (const receipt of after.status?.hooks ?? []) {
      const old = receiptOf(before, receipt.hook, receipt.event);
      if (!isDeepStrictEqual(receipt, old)) this.#receipt(before, old, receipt, now);
    }
    for (const { hook, event } of before.status?.hooks ?? []) {
      if (!receiptOf(after, hook, event))
        throw new Error(`the receipt of ${hook} ${event} is lost`);
    }
    this.#finalizer(before, after.metadata.finalizers, now);
  }

  #receipt(
    tenant: LiveTenant,
    old: HookReceipt | undefined,
    receipt: HookReceipt,
    now: number,
  ): void {
    const { metadata } = tenant;
    const { hook, event, state, key, attempts } = receipt;
    const about = `${hook} ${event} ${metadata.name}: ${JSON.stringify([old, receipt])}`;
    const no = (why: string): never => {
      throw new Error(`${why}: ${about}`);
    };
    const of = `${metadata.uid} ${hook} ${event}`;
    if ((this.#keys.get(key) ?? of) !== of) no('two calls have one key');
    this.#keys.set(key, of);
    if (old && old.key !== key) no('one call has two keys');
    if (old?.state === 'Delivered' || old?.state === 'GivenUp') no('a settled receipt changed');
    const isBegun = state === 'Sending';
    if (attempts !== (old?.attempts ?? 0) + (isBegun ? 1 : 0)) no('attempts are miscounted');
    if (isBegun) this.#begins(tenant, old, receipt, now, no);
    if (state === 'Delivered') {
      this.tally[event === 'Onboarded' ? 'onboarded' : 'offboarded'] += 1;
      if (!this.receivers.isDone(hook, event, metadata.uid, key))
        no('the receivers did nothing for it');
    }
    if (state === 'Failed') this.#fails(receipt, no);
    if (state === 'GivenUp') {
      this.tally.givenUp += 1;
      const since = Date.parse(metadata.deletionTimestamp ?? '9999-01-01') - start;
      if (now + this.#props.skew < since + hour) no('it is given up too early');
    }
  }

  /** Checks that an attempt is claimed on the Tenant that it belongs to. */
  #begins(
    tenant: LiveTenant,
    old: HookReceipt | undefined,
    { hook: name, event }: HookReceipt,
    now: number,
    no: (why: string) => never,
  ): void {
    const { skew } = this.#props;
    const declared = this.#recent(now).flatMap(
      ({ hooks }) => hooks.find((one) => one.name === name) ?? [],
    );
    if (!declared.some((hook) => mayHear(hook, tenant, event))) {
      no('the platform gave the tenant no such hook');
    }
    if (old?.state === 'Sending') {
      this.tally.takenUp += 1;
      const since = Date.parse(old.lastAttempt ?? '') - start;
      if (now + skew < since + longest) no('the previous attempt may still be running');
    }
    if (old?.state !== 'Failed' || this.#unsteady.has(name)) return;
    if (old.nextAttempt === undefined) no('a permanent refusal is retried');
    if (now + skew < Date.parse(old.nextAttempt ?? '') - start) no('it is retried too early');
  }

  #fails({ key, message, nextAttempt }: HookReceipt, no: (why: string) => never): void {
    this.tally.failed += 1;
    if (!message) no('the receipt has no reason for its failure');
    if (nextAttempt === undefined) {
      if (!this.#isFinal(key)) no('no receiver refused it permanently');
      return;
    }
    const last = this.#answered.get(key);
    const after = Number(last?.reply.headers?.['retry-after'] ?? 0) * 1000;
    const until = (last?.at ?? 0) + after;
    if (Date.parse(nextAttempt) - start + this.#props.skew < until)
      no('it is retried earlier than requested');
  }

  #finalizer(before: LiveTenant, after: readonly string[] = [], now: number): void {
    const { name, deletionTimestamp, finalizers = [] } = before.metadata;
    const has = after.includes(finalizer);
    if (has === finalizers.includes(finalizer)) return;
    const isRight = this.#recent(now).some(({ hooks }) => {
      const hearing = hooks.filter((hook) => mustHear(hook, before));
      if (has) return hearing.length > 0;
      if (deletionTimestamp === undefined) return hearing.length === 0;
      return hearing
        .filter((hook) => mayHear(hook, before, 'Offboarding'))
        .every((hook) => isSettled(receiptOf(before, hook.name, 'Offboarding')));
    });
    if (!isRight) {
      const verb = has ? 'gets' : 'loses';
      throw new Error(`${name} ${verb} the finalizer: ${JSON.stringify(before.status?.hooks)}`);
    }
  }

  #goes(last: LiveTenant, now: number): void {
    const { name, uid } = last.metadata;
    this.#gone.set(uid, { at: now, last });
    this.#finalizer(last, [], now);
    this.receivers.renameChannelsOf(uid);
    if (this.#unsteady.has(uid)) return;
    for (const hook of this.#declared.at(-1)!.hooks) {
      if (this.#unsteady.has(hook.name) || hook.events.length < 2) continue;
      if (!receiptOf(last, hook.name, 'Onboarded')) continue;
      if (isSettled(receiptOf(last, hook.name, 'Offboarding'))) continue;
      throw new Error(`${name} was deleted, and ${hook.name} knows only of its onboarding`);
    }
  }

  /** Returns the hooks of programs that run or ended a short while ago. */
  #recent(now: number): readonly Declared[] {
    return this.#declared.filter(({ until }) => now - until < grace);
  }

  /** Returns whether the last answer was a permanent refusal. */
  #isFinal(key: string): boolean {
    const { status } = this.#answered.get(key)?.reply ?? {};
    return status === 410;
  }

  #expectNoSecret(where: string, text = ''): void {
    const found = this.receivers.secrets.filter((secret) => text.includes(secret));
    if (found.length > 0) throw new Error(`${where} has a secret: ${text}`);
  }

  /** Keeps a violation that is not seen in a write, to throw it at the next write. */
  #note(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#wrong ??= error as Error;
    }
  }
}

export function isReady({ metadata, spec, status }: LiveTenant): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const isNow = status?.observedGeneration === metadata.generation;
  return isNow && ready?.status === 'True' && ready.reason === 'AsDeclared' && !spec?.cordoned;
}

function mayHear(hook: Hook, tenant: LiveTenant, event: HookEvent): boolean {
  if (!hook.events.includes(event) || !isFor(hook, tenant)) return false;
  const isGoing = tenant.metadata.deletionTimestamp !== undefined;
  const hasOnboardedReceipt = receiptOf(tenant, hook.name, 'Onboarded') !== undefined;
  if (event === 'Onboarded') return !isGoing && (hasOnboardedReceipt || isReady(tenant));
  return isGoing && (hasOnboardedReceipt || !hook.events.includes('Onboarded'));
}

/** Returns whether the hook must be called when the tenant is deleted. */
function mustHear(hook: Hook, tenant: LiveTenant): boolean {
  if (!hook.events.includes('Offboarding') || !isFor(hook, tenant)) return false;
  const isOffboardingOnly = !hook.events.includes('Onboarded');
  const hasOnboardedReceipt = receiptOf(tenant, hook.name, 'Onboarded') !== undefined;
  return isOffboardingOnly || hasOnboardedReceipt || isReady(tenant);
}

function isFor({ classes, clusters, since }: Hook, tenant: LiveTenant): boolean {
  if (clusters && !clusters.includes(cluster)) return false;
  if (classes && !classes.includes(classOf(tenant))) return false;
  return since === undefined || tenant.metadata.creationTimestamp >= since;
}

const classOf = ({ spec }: LiveTenant): string => spec?.className ?? 'standard';

const isSettled = (receipt: HookReceipt | undefined): boolean =>
  receipt?.state === 'Delivered' || receipt?.state === 'GivenUp';

function receiptOf(
  { status }: LiveTenant,
  name: string,
  event: HookEvent,
): HookReceipt | undefined {
  return status?.hooks?.find((one) => one.hook === name && one.event === event);
}

/** Returns the parts of a Tenant that an operator with only hooks must not change. */
function besides({ metadata, spec, status = {} }: LiveTenant): unknown {
  const { hooks: _, ...rest } = status;
  const { finalizers = [], managedFields: __, resourceVersion: ___, ...kept } = metadata;
  return [kept, finalizers.filter((one) => one !== finalizer), spec, rest];
}

const addressIn = ({ webhook, jenkins, slack }: Hook): string =>
  (webhook?.url ?? jenkins?.url ?? slack?.url)!;
