import { rejectOnAbort, type Clock, type Random } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import { LeadershipLost, type LeaderElection, type Lock } from './leader-election.ts';
import { millisecondsSince, captureMoment, Term, type Moment, type Timing } from './term.ts';

/** The dependencies of an election, which its manager provides. */
export interface ElectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The options of every election. */
export interface ElectionProps extends ElectionDeps {
  /**
   * What a replica does when it loses the lock. `exit` rejects at once, so that the manager stops and fails. `standby`
   * waits until the led work has ended, and competes again.
   * @default exit
   */
  readonly onLost?: 'exit' | 'standby' | undefined;
  /** Called each time this replica begins or ceases to lead; it must not throw. */
  readonly observe?: ((isLeading: boolean) => void) | undefined;
}

interface AcquiredTerm {
  readonly term: Term;
  readonly began: Moment;
}

/**
 * Elects one of several replicas as leader: the one that holds the lock.
 *
 * @example
 * ```ts
 * import { leaseElection, type Election, type LeaderDeps } from '@tenantry/runtime';
 *
 * const lease = { name: 'shops', namespace: 'shops' };
 *
 * // For `leaderElection` of a Manager; the program's metrics observe who leads.
 * export function electionOf(deps: LeaderDeps, observe: (leads: boolean) => void): Election {
 *   return leaseElection({ ...deps, lease, observe });
 * }
 * ```
 */
export class Election implements LeaderElection {
  readonly #lock: Lock;
  readonly #timing: Timing;
  readonly #props: ElectionProps;
  readonly #log: Log;
  #term: Term | undefined;
  #seen: string | undefined;

  constructor(lock: Lock, timing: Timing, props: ElectionProps) {
    this.#lock = lock;
    this.#timing = timing;
    this.#props = props;
    this.#log = props.log.with({ lock: lock.description });
  }

  get name(): string {
    return this.#lock.description;
  }

  isLeading(): boolean {
    return this.#term?.isWithinDeadline() ?? false;
  }

  get holder(): string | undefined {
    return this.#lock.holder;
  }

  async run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const won = await this.#acquireTerm(signal);
      if (!won) break;
      const { term } = won;
      this.#term = term;
      this.#log.info('the lock is held by this replica');
      this.#props.observe?.(true);
      try {
        await this.#lead(won, lead);
      } finally {
        this.#term = undefined;
        this.#props.observe?.(false);
      }
      if (!isLost(term)) return;
    }
  }

  /** Tries until it has the lock; returns undefined if it is stopped. */
  async #acquireTerm(stop: AbortSignal): Promise<AcquiredTerm | undefined> {
    const { clock, random } = this.#props;
    const { retryPeriod, renewDeadline } = this.#timing;
    this.#log.info('this replica competes for the lock');
    while (!stop.aborted) {
      const began = captureMoment(clock);
      const isHeld = await this.#tryToAcquire(stop);
      // A lock that was acquired a while ago is renewed before anything relies on it.
      const isFresh = millisecondsSince(clock, began) < renewDeadline;
      if (isHeld && isFresh && !stop.aborted) {
        return { term: new Term(this.#lock.description, clock, this.#timing, began), began };
      }
      // Randomized, because only one of the replicas that try at the same moment, as after a rollout, can succeed.
      await this.#pause(retryPeriod * (1 - random() / 4), began, stop);
    }
    await this.#release();
    return undefined;
  }

  async #tryToAcquire(stop: AbortSignal): Promise<boolean> {
    try {
      const limit = this.#timing.renewDeadline / 2;
      return await this.#within(limit, (signal) => this.#lock.acquire(signal), [stop]);
    } catch (error) {
      if (!stop.aborted) this.#log.warn('the lock could not be requested', { error });
      return false;
    } finally {
      this.#logHolder();
    }
  }

  async #within<T>(
    milliseconds: number,
    attempt: (signal: AbortSignal) => Promise<T>,
    ends: readonly AbortSignal[] = [],
  ): Promise<T> {
    const slow = new AbortController();
    const cancel = this.#props.clock.after(milliseconds, () =>
      slow.abort(new Error(`${this.#lock.description}: no answer in ${milliseconds} ms`)),
    );
    const signal = AbortSignal.any([...ends, slow.signal]);
    try {
      return await rejectOnAbort(attempt(signal), signal);
    } finally {
      cancel();
    }
  }

  #logHolder(): void {
    const { holder } = this.#lock;
    if (holder === this.#seen) return;
    this.#seen = holder;
    if (holder !== undefined) this.#log.info('there is a leader', { holder });
  }

  /** Leads, and keeps the lock meanwhile. */
  async #lead(
    { term, began }: AcquiredTerm,
    lead: (leading: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const kept = this.#renewUntilEnded(term, began);
    const led = startLeading(lead, term.signal);
    const isStandby = this.#props.onLost === 'standby';
    try {
      await (isStandby ? led : rejectOnAbort(led, term.signal));
    } catch (error) {
      if (!isStandby || !isLost(term)) throw error;
      if (error !== term.signal.reason)
        this.#log.warn('the led work ended with an error', { error });
    } finally {
      await this.#endTerm(term, kept);
    }
  }

  /** Ensures that this replica writes nothing any more before another one may lead. */
  async #endTerm(term: Term, kept: Promise<void>): Promise<void> {
    term.end(new Error('the led work has ended'));
    await kept;
    if (!isLost(term)) await this.#release();
  }

  /** Renews the lock until the term has ended. */
  async #renewUntilEnded(term: Term, acquired: Moment): Promise<void> {
    const { clock } = this.#props;
    for (let began = acquired; ; await this.#renew(term, began)) {
      await this.#pause(this.#timing.retryPeriod, began, term.signal);
      if (term.signal.aborted) break;
      began = captureMoment(clock);
    }
    const { reason } = term.signal;
    if (isLost(term)) this.#log.error('the lock is lost', { error: reason });
  }

  async #renew(term: Term, began: Moment): Promise<void> {
    const signal = term.beginAttempt(began);
    try {
      if (await rejectOnAbort(this.#lock.renew(signal), signal)) return term.recordRenewal(began);
      const holder = this.#lock.holder || 'nobody';
      term.end(new LeadershipLost(`${this.#lock.description} is held by ${holder}`));
    } catch (error) {
      term.recordFailure(error);
      if (!term.signal.aborted) this.#log.warn('the lock could not be renewed', { error });
    }
  }

  /** Waits only briefly: without the release, others wait until the lock expires. */
  async #release(): Promise<void> {
    const limit = this.#timing.retryPeriod / 2;
    try {
      await this.#within(limit, (signal) => this.#lock.release(signal));
    } catch (error) {
      this.#log.warn('the lock could not be released: others wait until it expires', { error });
    }
  }

  /** Pauses until so many milliseconds after `began`, or until the signal aborts. */
  async #pause(milliseconds: number, began: Moment, signal: AbortSignal): Promise<void> {
    const { clock } = this.#props;
    const rest = milliseconds - millisecondsSince(clock, began);
    await clock.sleep(Math.max(0, rest), signal).catch(() => {});
  }
}

const isLost = ({ signal }: Term): boolean => signal.reason instanceof LeadershipLost;

async function startLeading(
  lead: (leading: AbortSignal) => Promise<void>,
  leading: AbortSignal,
): Promise<void> {
  await lead(leading);
}
