import type { Log, LogFields } from '@tenantry/runtime/log/log';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { Manager } from '@tenantry/runtime/manager/manager';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { Chance } from '../random.ts';
import type { SimulatedApiServer } from '../server/simulated-api-server.ts';
import type { SimulatedProgram, SimulateProps } from '../simulate-props.ts';
import type { Network } from './network.ts';
import { SimulatedProcess } from './process.ts';
import { ProcessWire, type WireObserver } from './process-wire.ts';

/** The events of a schedule as text for people. It builds no text while it is off. */
export class Trace {
  readonly lines: string[] = [];
  readonly isOn: boolean;
  readonly #now: () => number;

  constructor(now: () => number, { isOn }: { readonly isOn: boolean }) {
    this.isOn = isOn;
    this.#now = now;
  }

  record(who: string, what: () => string): void {
    if (!this.isOn) return;
    const seconds = (this.#now() / 1000).toFixed(3).padStart(9);
    this.lines.push(`${seconds} s  ${who.padEnd(22)} ${what()}`);
  }
}

/** The log of a process, which passes warnings and errors to the trace. */
export class TracedLog implements Log {
  readonly #trace: Trace;
  readonly #who: string;

  constructor(trace: Trace, who: string) {
    this.#trace = trace;
    this.#who = who;
  }

  debug(): void {}

  info(): void {}

  warn(sentence: string, fields?: LogFields): void {
    this.#say(sentence, fields);
  }

  error(sentence: string, fields?: LogFields): void {
    this.#say(sentence, fields);
  }

  with(): Log {
    return this;
  }

  #say(sentence: string, fields: LogFields = {}): void {
    this.#trace.record(this.#who, () => {
      const { error } = fields;
      const why = error instanceof Error ? error.message : error;
      return `logs: ${sentence}${why === undefined ? '' : `: ${String(why)}`}`;
    });
  }
}

export const lease = { namespace: 'kube-system', name: 'simulated-operator' };

interface ReplicaProps {
  readonly name: string;
  readonly controllers: SimulateProps['controllers'];
  /** Whether the operator has several replicas and elects a leader. */
  readonly isElected: boolean;
  readonly server: SimulatedApiServer;
  readonly network: Network;
  readonly time: VirtualClock;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly observer: WireObserver;
  /** Called where the program cannot start. */
  readonly failed: (error: unknown) => void;
}

/** A replica of the operator: a program that is restarted when it has ended, with nothing in memory. */
export class Replica {
  readonly name: string;
  readonly #props: ReplicaProps;
  #runs = 0;
  #skew = 0;
  #process: SimulatedProcess | undefined;
  #stop: AbortController | undefined;

  constructor(props: ReplicaProps) {
    this.name = props.name;
    this.#props = props;
  }

  get process(): SimulatedProcess | undefined {
    return this.#process?.isAlive ? this.#process : undefined;
  }

  start(): void {
    const { name, server, network, time, observer, controllers, isElected, chance } = this.#props;
    this.#runs += 1;
    const identity = isElected ? `${name}-run-${this.#runs}` : name;
    const process = (this.#process = new SimulatedProcess(identity, time, this.#skew));
    const client = server.clientOver(name, new ProcessWire(process, network, observer));
    const stop = (this.#stop = new AbortController());
    const { clock } = process;
    try {
      const manager = new Manager({
        controllers: controllers(this.#createProgram(process, stop)),
        client,
        clock,
        random: chance.random,
        log: new TracedLog(this.#props.trace, name),
        leaderElection: isElected
          ? (deps) => leaseElection({ ...deps, lease, identity, clock: clock as Clock })
          : undefined,
      });
      this.#props.trace.record(name, () => 'starts');
      manager.run(stop.signal).then(
        () => this.#ended(process, 'ends'),
        (error: unknown) => this.#ended(process, `ends: ${String(error)}`),
      );
    } catch (error) {
      process.kill();
      this.#props.failed(error);
    }
  }

  /** Ends the run at once; another run begins after a while. */
  crash(why = 'crashes'): void {
    const { process } = this;
    if (process) this.#ended(process, why);
  }

  /** Requests the run to end, as in a roll-out. */
  restart(): void {
    this.#stop?.abort(new Error('SIGTERM'));
  }

  /** Stalls the event loop for so many milliseconds, as on an overloaded node. */
  pause(milliseconds: number): void {
    this.process?.clock.stall(milliseconds);
  }

  /** Moves the clock of its machine. */
  jump(milliseconds: number): void {
    this.#skew += milliseconds;
    this.process?.clock.jump(milliseconds);
  }

  /** Ends the replica at once, for good. */
  end(): void {
    const { process } = this;
    process?.kill();
    if (process) this.#props.network.dropStreams(process);
  }

  /** Callbacks for this run only: what an earlier run started does not end a later one. */
  #createProgram(process: SimulatedProcess, stop: AbortController): SimulatedProgram {
    return {
      time: this.#props.time,
      hear: (run) => process.clock.runWhenAwake(run),
      crash: () => this.#ended(process, 'crashes'),
      restart: () => {
        if (process.isAlive) stop.abort(new Error('SIGTERM'));
      },
    };
  }

  #ended(process: SimulatedProcess, why: string): void {
    if (!process.isAlive) return;
    process.kill();
    const { network, time, chance, trace, name } = this.#props;
    network.dropStreams(process);
    trace.record(name, () => why);
    time.after(network.isEven ? 1000 : chance.whole(200, 5000), () => this.start());
  }
}
