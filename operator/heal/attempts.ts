import { createHash } from 'node:crypto';
import type { Problem } from './problem.ts';

/** An object of a tenant, as it is to become. */
export interface Goal {
  readonly tenant: string;
  /** `identityOf` the object. */
  readonly key: string;
  readonly object: object;
}

/** An object that somebody changes back again and again, as the status of its tenant remembers it. */
export interface Fight {
  /** `identityOf` the object. */
  readonly key: string;
  /** Another text for another declaration of the object. */
  readonly declared: string;
  /** How often it was healed. */
  readonly healed: number;
  /** Milliseconds until it is healed again; 0 and less: it may be now. */
  readonly left: number;
  readonly message: string;
}

interface Attempt {
  /** What it was to become. */
  readonly to: string;
  /** How often it was healed, never a short while apart. */
  healed: number;
  failures: number;
  /** On the clock: when it was tried last, and not before when it is tried again. */
  at: number;
  until: number;
  problem?: Problem | undefined;
}

/** Milliseconds that count as a short while. */
export const SHORT_WHILE = 600_000;
/** How often an object is healed, never a short while apart, before that is a fight. */
export const MOST_HEALED = 5;

const wait = { first: 5_000, longest: 600_000 };
const fightBackoff = { first: 60_000, longest: 3_600_000 };

/**
 * What came of healing objects, in memory: what was refused is tried again after a while that doubles, and
 * what is changed back again and again is left alone for one that doubles too. What is declared anew begins
 * anew. What happened more than a short while ago is forgotten.
 */
export class HealAttempts {
  /** The one that was tried last is last. */
  readonly #made = new Map<string, Attempt>();

  /** Milliseconds until an object may be written; 0: now. */
  remaining(goal: Goal, now: number): number {
    return Math.max(0, (this.#known(goal)?.until ?? 0) - now);
  }

  problem(goal: Goal): Problem | undefined {
    return this.#known(goal)?.problem;
  }

  /** It was written. Where that has happened too often, `fight` is its problem. */
  recordHealed(goal: Goal, now: number, fight: Problem): void {
    const known = this.#known(goal);
    const isSoon = known && now < Math.max(known.at, known.until) + SHORT_WHILE;
    const healed = (isSoon ? known.healed : 0) + 1;
    const excess = healed - MOST_HEALED;
    const isFight = excess >= 0;
    this.#put(goal, {
      healed,
      failures: 0,
      at: now,
      until: isFight ? now + doubled(fightBackoff, excess) : now,
      ...(isFight && { problem: fight }),
    });
  }

  /** It could not be written, or that would change nothing. */
  recordFailed(goal: Goal, now: number, problem: Problem): void {
    const { failures = 0, healed = 0 } = this.#known(goal) ?? {};
    const until = now + doubled(wait, failures);
    this.#put(goal, { healed, failures: failures + 1, at: now, until, problem });
  }

  /** What is fought over, of one tenant. */
  fights(tenant: string, now: number): readonly Fight[] {
    return [...this.#made].flatMap(([name, { to, healed, at, until, problem }]) => {
      const isOver = Math.max(at, until) + SHORT_WHILE <= now;
      if (!name.startsWith(`${tenant}\n`) || problem?.reason !== 'Fought' || isOver) return [];
      const key = name.slice(tenant.length + 1);
      return [{ key, declared: to, healed, left: until - now, message: problem.message }];
    });
  }

  /** Goes on with fights that a process before this one left off. What is known already stays. */
  recall(tenant: string, fights: readonly Fight[], now: number): void {
    for (const { key, declared, healed, left, message } of fights) {
      const name = `${tenant}\n${key}`;
      if (this.#made.has(name) || left + SHORT_WHILE <= 0) continue;
      const problem = { reason: 'Fought', message } as const;
      const attempt = { to: declared, healed, failures: 0, at: now, until: now + left, problem };
      this.#made.set(name, attempt);
    }
  }

  forget(tenant: string): void {
    for (const name of this.#made.keys()) {
      if (name.startsWith(`${tenant}\n`)) this.#made.delete(name);
    }
  }

  #known(goal: Goal): Attempt | undefined {
    const attempt = this.#made.get(nameOf(goal));
    return attempt?.to === digestOf(goal.object) ? attempt : undefined;
  }

  #put(goal: Goal, attempt: Omit<Attempt, 'to'>): void {
    for (const [name, { at, until }] of this.#made) {
      if (Math.max(at, until) + SHORT_WHILE > attempt.at) break;
      this.#made.delete(name);
    }
    const name = nameOf(goal);
    this.#made.delete(name);
    this.#made.set(name, { ...attempt, to: digestOf(goal.object) });
  }
}

function nameOf({ tenant, key }: Goal): string {
  return `${tenant}\n${key}`;
}

function digestOf(object: object): string {
  return createHash('sha256').update(JSON.stringify(object)).digest('base64url').slice(0, 22);
}

function doubled({ first, longest }: { first: number; longest: number }, times: number): number {
  return Math.min(first * 2 ** times, longest);
}
