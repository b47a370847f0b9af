export interface TokenBucketProps {
  /** So many at once. */
  readonly burst: number;
  /** Milliseconds after which one more is allowed, up to the burst. */
  readonly every: number;
}

/** So many at once, and in the long run one an interval: a bucket of tokens that nobody waits for. */
export class TokenBucket {
  readonly #props: TokenBucketProps;
  #left: number;
  #at: number;

  /** Full at first. `now` is that of a clock, here and in `take`. */
  constructor(props: TokenBucketProps, now: number) {
    this.#props = props;
    this.#left = props.burst;
    this.#at = now;
  }

  /** Whether one more is allowed; it is then taken. */
  take(now: number): boolean {
    const { burst, every } = this.#props;
    this.#left = Math.min(burst, this.#left + (now - this.#at) / every);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
