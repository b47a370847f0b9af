export interface TokenBucketProps {
  /** The size of a burst. */
  readonly burst: number;
  /** Milliseconds after which one more is allowed, up to the burst. */
  readonly every: number;
}

/** A rate limit as a token bucket: a burst, and one per interval in the long run. Nothing waits for it. */
export class TokenBucket {
  readonly #props: TokenBucketProps;
  #left: number;
  #at: number;

  /** The bucket starts full. `now` is the time of a clock, as in `take`. */
  constructor(props: TokenBucketProps, now: number) {
    this.#props = props;
    this.#left = props.burst;
    this.#at = now;
  }

  /** Takes a token, and returns whether there was one. */
  take(now: number): boolean {
    const { burst, every } = this.#props;
    this.#left = Math.min(burst, this.#left + (now - this.#at) / every);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
