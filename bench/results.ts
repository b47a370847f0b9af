import { median, type Measurement } from './measure.ts';

/** One run, with its wall time and the load of the machine before it. */
type Run<Quantity extends string> = Readonly<Partial<Record<Quantity | 'wall' | 'load', number>>>;

/** The runs of one program on one fleet; absent where it was not run in that round. */
type Runs<Quantity extends string> = readonly (Run<Quantity> | undefined)[];

/** All measurements, by program and size. */
export class Results<Quantity extends string = keyof Measurement> {
  readonly #runs = new Map<string, (Run<Quantity> | undefined)[]>();

  /** @param round runs of the same round ran one after the other, and can be compared */
  add(program: string, size: number, round: number, measurement: Run<Quantity>): void {
    const key = `${program} ${size}`;
    const runs = this.#runs.get(key) ?? [];
    runs[round] = measurement;
    this.#runs.set(key, runs);
  }

  has(program: string, size: number): boolean {
    return this.#runs.has(`${program} ${size}`);
  }

  /** Returns the median of a quantity; undefined where nothing was measured. */
  median(program: string, size: number, of: Quantity | 'wall' = 'wall'): number | undefined {
    const values = this.#of(program, size).flatMap((run) => run?.[of] ?? []);
    return values.length === 0 ? undefined : median(values);
  }

  /**
   * Returns the ratio of `program` to `base`: the median over rounds of the ratio in a round, so that a
   * machine that becomes slower has no effect. Where `program` ran in fewer rounds, it is the ratio of
   * the medians. Undefined where one of them was not measured.
   */
  ratio(
    program: string,
    base: string,
    size: number,
    of: Quantity | 'wall' = 'wall',
  ): number | undefined {
    const bases = this.#of(base, size);
    const runs = this.#of(program, size);
    if (runs.length < bases.length) {
      const [own, other] = [this.median(program, size, of), this.median(base, size, of)];
      return own === undefined || other === undefined ? undefined : own / other;
    }
    const ratios = runs.flatMap((run, round) => {
      const other = bases[round]?.[of];
      const own = run?.[of];
      return own === undefined || other === undefined ? [] : [own / other];
    });
    return ratios.length === 0 ? undefined : median(ratios);
  }

  /** Returns the lowest and the highest load average before the runs. */
  load(): readonly [number, number] {
    const loads = [...this.#runs.values()].flat().flatMap((run) => run?.load ?? []);
    return [Math.min(...loads), Math.max(...loads)];
  }

  #of(program: string, size: number): Runs<Quantity> {
    return this.#runs.get(`${program} ${size}`) ?? [];
  }
}
