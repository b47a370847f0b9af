import { isSubdomain } from '../../kube/names.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { EventSubject } from './event.ts';

/** Nanoseconds in a millisecond. */
const perMillisecond = 1_000_000;

/**
 * Generates names of events as client-go does: the name of the object and the nanoseconds since 1970 in hexadecimal
 * digits. The digits below a millisecond are random, so that two programs do not collide.
 */
export class EventNameGenerator {
  readonly #clock: Clock;
  readonly #random: Random;
  #last = 0n;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Returns a new name, which sorts after all earlier ones. It contains the kind instead of the object's name if that
   * is too long or not a DNS subdomain, such as the name of a role.
   */
  next({ kind, metadata }: EventSubject): string {
    const chance = Math.floor(this.#random() * perMillisecond);
    const now = BigInt(this.#clock.date().getTime()) * BigInt(perMillisecond) + BigInt(chance);
    this.#last = now > this.#last ? now : this.#last + 1n;
    const time = this.#last.toString(16);
    const names = [metadata.name, kind.toLowerCase()].map((begin) => `${begin}.${time}`);
    return names.find(isSubdomain) ?? `event.${time}`;
  }
}
