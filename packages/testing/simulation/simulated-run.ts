import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { keyOf } from '@tenantry/runtime/kinds/kind';
import { seededRandom, createChance, NothingToPick, deriveSeed, type Chance } from './random.ts';
import { VirtualClock } from '../clock/virtual-clock.ts';
import { runActor, findServedKind, clusterActors } from './cluster-actors.ts';
import { Network, type OpenStream } from './operator/network.ts';
import type { SimulatedProcess } from './operator/process.ts';
import { describeCall, type WireObserver } from './operator/process-wire.ts';
import { lease, Replica, Trace } from './operator/replica.ts';
import type { Plan } from './schedule/plan.ts';
import { describeEvent, type SimulationEvent } from './schedule/step.ts';
import { toKind } from './server/served-kinds.ts';
import { SimulatedApiServer } from './server/simulated-api-server.ts';
import type { StoredChange } from './server/object-store.ts';
import type { SentCall } from './server/wire.ts';
import type { SimulateProps } from './simulate-props.ts';
import { toSeenChange, createView, type ClusterView } from './cluster-view.ts';

/** Milliseconds after the last step in which faults still affect calls. */
const faultGracePeriod = 10_000;

/** Milliseconds in which an operator must write nothing at the end. */
const restPeriod = 60_000;

/** The most writes of an operator in one schedule: one that writes more never comes to rest. */
const mostWrites = 1000;

/** The condition that did not hold, and why. */
export interface Failure {
  readonly what: string;
  readonly error?: unknown;
}

/** The result of one schedule. */
interface RunOutcome {
  readonly failure: Failure | undefined;
  /** What happened, where the trace is on. */
  readonly lines: readonly string[];
  /** The number of the operator's writes. */
  readonly writes: number;
}

/** How a schedule is run. */
export interface RunOptions {
  /** Whether its events are recorded as text. @default false */
  readonly isTraced?: boolean;
}

/** Runs one schedule, from a new cluster to its end or to the first failure. */
export function runPlan(
  plan: Plan,
  props: SimulateProps,
  options: RunOptions = {},
): Promise<RunOutcome> {
  return new SimulatedRun(plan, props, options).run();
}

class SimulatedRun {
  readonly #plan: Plan;
  readonly #props: SimulateProps;
  readonly #clock = new VirtualClock();
  readonly #trace: Trace;
  readonly #server: SimulatedApiServer;
  readonly #network: Network;
  readonly #replicas: readonly Replica[];
  readonly #view: ClusterView;
  #writes = 0;
  #failure: Failure | undefined;

  constructor(plan: Plan, props: SimulateProps, { isTraced = false }: RunOptions) {
    const { definitions } = props;
    this.#plan = plan;
    this.#props = props;
    const [clock, now] = [this.#clock, () => this.#clock.now()];
    this.#trace = new Trace(now, { isOn: isTraced });
    const random = this.#chance('names').random;
    this.#server = new SimulatedApiServer({ clock, definitions, random });
    this.#network = new Network(clock, this.#chance('network'), plan);
    this.#view = createView(this.#server.api('view'), now);
    this.#replicas = this.#makeReplicas(props.replicas ?? 1);
  }

  async run(): Promise<RunOutcome> {
    this.#server.follow((change) => this.#changed(change));
    this.#props.world?.(this.#server.api('world'));
    for (const actor of clusterActors) {
      runActor(actor, this.#server, this.#clock, this.#chance(actor.name));
    }
    for (const replica of this.#replicas) replica.start();
    for (const { at, event } of this.#plan.steps) {
      await this.#advance(at - this.#clock.now());
      if (this.#failure) break;
      this.#applyEvent(event);
    }
    await this.#advance(faultGracePeriod);
    if (!this.#failure) await this.#checkEventually();
    const { lines } = this.#trace;
    return { failure: this.#failure, lines, writes: this.#writes };
  }

  #chance(purpose: string): Chance {
    return createChance(seededRandom(deriveSeed(this.#plan.seed, purpose)));
  }

  #makeReplicas(count: number): Replica[] {
    return Array.from({ length: count }, (_, index) => {
      const name = count === 1 ? 'operator' : `operator-${index}`;
      return new Replica({
        name,
        controllers: this.#props.controllers,
        isElected: count > 1,
        server: this.#server,
        network: this.#network,
        time: this.#clock,
        chance: this.#chance(name),
        trace: this.#trace,
        observer: this.#observer,
        failed: (error) => this.#fail('the operator can start', error),
      });
    });
  }

  get #observer(): WireObserver {
    return {
      writes: (process, call) => this.#recordWrite(process, call),
      wrote: ({ name }, call, outcome) => {
        if (call.kind.plural === 'leases') return;
        this.#trace.record(name, () => `${describeCall(call)}: ${outcome()}`);
      },
      crashed: (process) => {
        this.#replicas.find((replica) => replica.process === process)?.crash();
      },
      unknown: (error) => this.#fail('the operator uses only what is simulated', error),
    };
  }

  /** Counts a write, and checks that the process is allowed to write. */
  #recordWrite({ name }: SimulatedProcess, { kind }: SentCall): void {
    if (kind.plural === 'leases') return;
    this.#writes += 1;
    if (this.#writes > mostWrites) this.#failForWrites(this.#writes);
    if (this.#replicas.length === 1) return;
    const holder = this.#view.get(Lease, lease)?.spec?.holderIdentity;
    if (holder === name) return;
    this.#fail(
      'only the replica that leads writes',
      new Error(`${name} writes while the lease is held by ${holder || 'nobody'}`),
    );
  }

  async #advance(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0 && !this.#failure; left -= 10_000) {
      await this.#clock.advance(Math.min(left, 10_000));
    }
  }

  #changed(change: StoredChange): void {
    const { who, type, resource, object } = change;
    if (!who.startsWith('operator')) {
      const verbs = { ADDED: 'creates', MODIFIED: 'changes', DELETED: 'removes' } as const;
      this.#trace.record(who, () => `${verbs[type]} ${resource} ${keyOf(object.metadata)}`);
    }
    if (this.#failure) return;
    for (const [sentence, holds] of Object.entries(this.#props.always ?? {})) {
      this.#check(sentence, () => holds(this.#view, toSeenChange(change)));
    }
  }

  #check(sentence: string, holds: () => boolean | void): void {
    if (this.#failure) return;
    try {
      if (holds() === false) this.#fail(sentence);
    } catch (error) {
      this.#fail(sentence, error);
    }
  }

  #fail(what: string, error?: unknown): void {
    if (this.#failure) return;
    this.#failure = { what, error };
    this.#trace.record('-', () => `it does not hold that ${what}`);
    for (const replica of this.#replicas) replica.end();
  }

  /** Checks the conditions after all faults are over and the operator had time to recover. */
  async #checkEventually(): Promise<void> {
    const { calm = 300_000, eventually = {}, rests = true } = this.#props;
    this.#network.disarm();
    for (const { process } of this.#replicas) if (process) process.crash = undefined;
    for (const stream of this.#network.streams) stream.slow(0);
    this.#trace.record('-', () => 'no fault happens any more');
    await this.#advance(calm);
    for (const [sentence, holds] of Object.entries(eventually)) {
      this.#check(sentence, () => holds(this.#view));
    }
    if (!rests || this.#failure) return;
    const before = this.#writes;
    this.#trace.record('-', () => 'from here on there is nothing to write');
    await this.#advance(restPeriod);
    const more = this.#writes - before;
    if (more > 0) this.#failForWrites(more, ` within ${restPeriod / 1000} s, with nothing to do`);
  }

  #failForWrites(writes: number, when = ''): void {
    this.#fail('the operator rests once all is done', new Error(`it wrote ${writes} times${when}`));
  }

  #applyEvent(event: SimulationEvent): void {
    const words = describeEvent(event);
    if (words) this.#trace.record('fault', () => words);
    if (event.do === 'action') return this.#runAction(event.name, event.seed);
    if (event.do === 'deleted objects') return this.#deleteOwned(event.seed);
    if ('replica' in event) return this.#applyReplicaEvent(event);
    this.#applyNetworkFault(event);
  }

  #runAction(name: string, seed: number): void {
    const api = this.#server.api('somebody');
    this.#trace.record('somebody', () => `acts: ${name}`);
    try {
      this.#props.actions?.[name]?.({ api, ...createChance(seededRandom(seed)) });
    } catch (error) {
      if (error instanceof ApiError || error instanceof NothingToPick) {
        this.#trace.record('somebody', () => `cannot do it: ${error.message}`);
      } else this.#fail(`the action '${name}' can be done`, error);
    }
  }

  #deleteOwned(seed: number): void {
    const owned = [...this.#server.objects()].filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ controller }) => controller === true),
    );
    if (owned.length === 0) return;
    const object = createChance(seededRandom(seed)).pick(owned);
    const served = findServedKind(this.#server.kinds, object);
    if (served) this.#server.api('somebody').delete(toKind(served), object.metadata);
  }

  #applyReplicaEvent(event: Extract<SimulationEvent, { readonly replica: number }>): void {
    const replica = this.#replicas[event.replica];
    const process = replica?.process;
    if (!replica || !process) return;
    if (event.do === 'crashes') {
      process.crash = { writes: event.writes, takesEffect: event.takesEffect };
    } else if (event.do === 'restarts') replica.restart();
    else if (event.do === 'pauses') replica.pause(event.milliseconds);
    else replica.jump(event.milliseconds);
  }

  #applyNetworkFault(
    event: Exclude<SimulationEvent, { readonly replica: number } | { readonly seed: number }>,
  ): void {
    const network = this.#network;
    switch (event.do) {
      case 'lost calls':
        return network.arm({ fault: { ...event, type: 'lost' }, calls: event.calls, left: 1 });
      case 'lost answers':
        return network.arm({
          fault: { ...event, type: 'unanswered' },
          calls: event.calls,
          left: 1,
        });
      case 'refusals':
        return network.arm({
          fault: { ...event, type: 'refused' },
          calls: event.calls,
          left: event.count,
        });
      case 'slow calls':
        return network.arm({ fault: { ...event, type: 'slow' }, calls: 'all', left: event.count });
      case 'compaction':
        return this.#server.compact();
      default:
        for (const stream of network.streams) disturbStream(stream, event);
    }
  }
}

function disturbStream(
  stream: OpenStream,
  event: Extract<SimulationEvent, { readonly do: `${string} watches` | 'repeated events' }>,
): void {
  switch (event.do) {
    case 'cut watches':
      return stream.cut();
    case 'hung watches':
      return stream.hang();
    case 'late watches':
      return stream.slow(event.milliseconds);
    case 'repeated events':
      return stream.repeat(event.count);
  }
}
