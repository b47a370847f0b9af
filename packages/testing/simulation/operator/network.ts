import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { Chance } from '../random.ts';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import type { SimulatedProcess } from './process.ts';

/** What happens to a call on its way. */
export type CallFault =
  /** The call never arrives. */
  | { readonly type: 'lost'; readonly isSilent: boolean }
  /** The call takes effect, and its answer is lost. */
  | { readonly type: 'unanswered'; readonly isSilent: boolean }
  /** The server refuses the call without an effect. */
  | { readonly type: 'refused'; readonly status: 409 | 429 | 500 | 503 }
  /** The call takes so many milliseconds longer to arrive. */
  | { readonly type: 'slow'; readonly milliseconds: number };

/** A fault that waits for the calls that it will affect. */
interface ArmedFault {
  readonly fault: CallFault;
  readonly calls: 'writes' | 'all';
  /** The number of calls that it will still affect. */
  left: number;
}

/** An open watch of a process. */
export interface OpenStream {
  readonly process: SimulatedProcess;
  /** Breaks the connection. */
  cut(): void;
  /** Stops delivery without closing the connection. */
  hang(): void;
  /** Delays events from now on by so many milliseconds. */
  slow(milliseconds: number): void;
  /** Delivers so many of the last events again. */
  repeat(count: number): void;
  /** Removes the stream from the network. */
  drop(): void;
}

/** What a fault depends on. */
export interface NetworkCall {
  readonly kind: Kind;
  readonly isWrite: boolean;
}

/** The network between the replicas of an operator and the server, with its faults. */
export class Network {
  readonly clock: VirtualClock;
  readonly #chance: Chance;
  readonly #armed: ArmedFault[] = [];
  readonly streams = new Set<OpenStream>();
  /** Whether every message takes one millisecond. */
  readonly isEven: boolean;

  constructor(clock: VirtualClock, chance: Chance, { isEven }: { readonly isEven: boolean }) {
    this.clock = clock;
    this.#chance = chance;
    this.isEven = isEven;
  }

  arm(fault: ArmedFault): void {
    this.#armed.push(fault);
  }

  /** Removes the faults that wait for calls. */
  disarm(): void {
    this.#armed.length = 0;
  }

  /** Returns the fault that affects this call. */
  takeFault({ kind, isWrite }: NetworkCall): CallFault | undefined {
    const isLease = kind.plural === 'leases';
    const at = this.#armed.findIndex(({ calls }) => calls === 'all' || (isWrite && !isLease));
    const armed = this.#armed[at];
    if (!armed) return undefined;
    armed.left -= 1;
    if (armed.left <= 0) this.#armed.splice(at, 1);
    return armed.fault;
  }

  /** Draws the milliseconds that a message takes: mostly few, sometimes many. */
  latency(): number {
    if (this.isEven) return 1;
    return this.#chance.happens(0.1) ? this.#chance.whole(20, 800) : this.#chance.whole(1, 20);
  }

  /** Closes the open streams of a process. */
  dropStreams(process: SimulatedProcess): void {
    for (const stream of this.streams) if (stream.process === process) stream.drop();
  }
}
