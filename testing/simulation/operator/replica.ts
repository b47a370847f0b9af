import type { Clock } from '../../../runtime/clock/clock.ts';
import { leaseElection } from '../../../runtime/leader/lease-election.ts';
import { Manager } from '../../../runtime/manager/manager.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { Chance } from '../random.ts';
import type { SimulatedApiServer } from '../server/simulated-api-server.ts';
import type { SimulatedProgram, SimulateProps } from '../simulate-props.ts';
import type { Network } from './network.ts';
import { SimulatedProcess } from './process.ts';
import { ProcessWire, type WireObserver } from './process-wire.ts';
import { TracedLog, type Trace } from './trace.ts';

export const lease = { namespace: 'kube-system', name: 'simulated-operator' };

export interface ReplicaProps {
  readonly name: string;
  readonly controllers: SimulateProps['controllers'];
  /** Whether it is one of several, of which one leads. */
  readonly isElected: boolean;
  readonly server: SimulatedApiServer;
  readonly network: Network;
  readonly time: VirtualClock;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly observer: WireObserver;
  /** The program cannot even begin. */
  readonly failed: (error: unknown) => void;
}

/** A replica of the operator: a program that is started again when it ended, with nothing in memory. */
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
        controllers: controllers(this.#programOf(process, stop)),
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

  /** It ends at once, and another run begins after a while. */
  crash(why = 'crashes'): void {
    const { process } = this;
    if (process) this.#ended(process, why);
  }

  /** It is asked to end, as in a roll-out. */
  restart(): void {
    this.#stop?.abort(new Error('SIGTERM'));
  }

  /** Its event loop stands still for so many milliseconds, as where the node has no time for it. */
  pause(milliseconds: number): void {
    this.process?.clock.stall(milliseconds);
  }

  /** Somebody sets the clock of its machine. */
  jump(milliseconds: number): void {
    this.#skew += milliseconds;
    this.process?.clock.jump(milliseconds);
  }

  /** It ends at once, for good. */
  end(): void {
    const { process } = this;
    process?.kill();
    if (process) this.#props.network.dropStreamsOf(process);
  }

  /** Of this run alone: what an earlier one has begun ends no later one. */
  #programOf(process: SimulatedProcess, stop: AbortController): SimulatedProgram {
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
    network.dropStreamsOf(process);
    trace.record(name, () => why);
    time.after(network.isEven ? 1000 : chance.whole(200, 5000), () => this.start());
  }
}
