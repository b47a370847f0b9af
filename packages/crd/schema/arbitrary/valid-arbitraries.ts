import fc from 'fast-check';
import { NoSample } from '../sample.ts';

/** The number of random attempts before a known value is used. */
const MAX_TRIES = 40;

interface Context {
  readonly known: boolean;
  readonly inner: unknown;
}

/**
 * The values of an arbitrary that pass a check. After many failed attempts in a row it uses one of the fallbacks, where
 * fast-check's own filter would try forever.
 */
export class Valid<T> extends fc.Arbitrary<T> {
  readonly #values: fc.Arbitrary<T>;
  readonly #check: (value: T) => boolean;
  readonly #fallbacks: () => readonly T[];
  #known: readonly T[] | undefined;

  constructor(
    values: fc.Arbitrary<T>,
    check: (value: T) => boolean,
    fallbacks: () => readonly T[],
  ) {
    super();
    this.#values = values;
    this.#check = check;
    this.#fallbacks = fallbacks;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    for (let i = 0; i < MAX_TRIES; i += 1) {
      const { value, context } = this.#values.generate(random, biasFactor);
      if (this.#check(value)) return new fc.Value(value, { known: false, inner: context });
    }
    this.#known ??= this.#fallbacks();
    const one = this.#known[random.nextInt(0, this.#known.length - 1)]!;
    return new fc.Value(structuredClone(one), { known: true, inner: undefined });
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value) && this.#check(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const { known, inner } = (context ?? { known: false, inner: undefined }) as Context;
    if (known) return fc.Stream.nil();
    return this.#values
      .shrink(value, inner)
      .filter((smaller) => this.#check(smaller.value))
      .map((smaller) => new fc.Value(smaller.value, { known: false, inner: smaller.context }));
  }
}

/** An arbitrary that is created on first use, because most parts of a large schema are never used. */
export class Lazy<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  get #values(): fc.Arbitrary<T> {
    return (this.#made ??= this.#make());
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return this.#values.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#values.shrink(value, context);
  }
}

/** The values of an arbitrary, or of a fallback if the arbitrary turns out to have none. */
export class ArbitraryOrFallback<T, N> extends fc.Arbitrary<T | N> {
  readonly #values: fc.Arbitrary<T>;
  readonly #otherwise: N;

  constructor(values: fc.Arbitrary<T>, otherwise: N) {
    super();
    this.#values = values;
    this.#otherwise = otherwise;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T | N> {
    try {
      return this.#values.generate(random, biasFactor);
    } catch (error) {
      if (error instanceof NoSample) return new fc.Value(this.#otherwise, undefined);
      throw error;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T | N, context: unknown): fc.Stream<fc.Value<T>> {
    if (value === this.#otherwise) return fc.Stream.nil();
    return this.#values.shrink(value as T, context);
  }
}
