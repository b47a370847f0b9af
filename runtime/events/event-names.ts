import { isSubdomain } from '../../kube/names.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { EventSubject } from './event.ts';

/** Nanoseconds in a millisecond. */
const perMillisecond = 1_000_000;

/**
 * Names of events as client-go gives them: the name of the object, and the nanoseconds since 1970 in
 * hexadecimal digits. Those below a millisecond are by chance, so that two programs do not meet.
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
   * A name that was not given before, which sorts after all of them. Where the object's is no DNS
   * subdomain, as those of roles may be, or too long, its kind stands there.
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
