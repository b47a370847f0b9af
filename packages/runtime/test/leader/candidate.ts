import type { Random } from '../../clock/clock.ts';
import type { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { Election } from '../../leader/election.ts';
import { leaseElection } from '../../leader/lease-election.ts';
import type { TimingProps } from '../../leader/term.ts';
import type { Log } from '../../log/log.ts';
import type { LeaseNetwork } from './lease-network.ts';
import {
  ProcessClock,
  type ProcessClockProps,
} from '@tenantry/testing/simulation/operator/process';

export const silent: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silent,
};

export interface CandidateProps extends ProcessClockProps, TimingProps {
  readonly time: VirtualClock;
  readonly server: LeaseNetwork;
  readonly name: string;
  readonly random?: Random;
  readonly onLost?: 'exit' | 'standby';
  /** True milliseconds for which the work of the leader continues after its signal. @default 0 */
  readonly drain?: number;
  readonly began?: () => void;
}

/** A replica with a process, a network and an election of its own. */
export class Candidate {
  readonly clock: ProcessClock;
  readonly election: Election;
  readonly name: string;
  readonly #props: CandidateProps;
  readonly #stop = new AbortController();
  #leading: AbortSignal | undefined;
  #cuts = 0;
  isDead = false;
  /** Absent while it runs; then 'stopped', or the error that `run` rejected with. */
  ended: unknown;
  terms = 0;
  /** How many runs of the leader's work are active. */
  running = 0;

  constructor(props: CandidateProps) {
    const { time, server, name, random = () => 0.5, onLost = 'standby' } = props;
    this.#props = props;
    this.name = name;
    this.clock = new ProcessClock(time, props);
    const client = server.clientOf(this.clock, () => this.#cuts > 0);
    this.election = leaseElection({
      ...props,
      client,
      clock: this.clock,
      random,
      log: silent,
      onLost,
      lease: { name: 'operator', namespace: 'shop' },
      identity: name,
    });
  }

  start(): void {
    this.election
      .run((leading) => this.#lead(leading), this.#stop.signal)
      .then(
        () => (this.ended = 'stopped'),
        (error: unknown) => (this.ended = error),
      );
  }

  stop(): void {
    this.#stop.abort();
  }

  kill(): void {
    this.isDead = true;
    this.clock.kill();
  }

  /** Cuts it off from the server for this long. */
  cut(milliseconds: number): void {
    this.#cuts += 1;
    this.#props.time.after(milliseconds, () => (this.#cuts -= 1));
  }

  /** Whether the work of the leader has a signal that has not aborted, and could act on it now. */
  get leads(): boolean {
    return this.clock.isAwake && this.#leading?.aborted === false;
  }

  /** Whether it would start a write now, or as soon as it could. */
  get isSure(): boolean {
    return !this.isDead && this.election.isLeading();
  }

  get isRunning(): boolean {
    return this.ended === undefined && !this.isDead;
  }

  async #lead(leading: AbortSignal): Promise<void> {
    this.#leading = leading;
    this.terms += 1;
    this.running += 1;
    this.#props.began?.();
    await aborted(AbortSignal.any([leading, this.#stop.signal]));
    await this.clock.sleep(this.#props.drain ?? 0);
    this.running -= 1;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
