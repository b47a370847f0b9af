import { serve } from '../../../synth/workers/pool.ts';

/** A row of numbers; a worker cannot double all of them. */
export interface Row {
  readonly numbers: readonly (number | 'impossible')[];
  /** Shared memory: how many were doubled by workers. */
  readonly count: Int32Array;
}

serve((task) => {
  const { numbers, count } = task as Row;
  if (numbers.length === 0) throw new Error('there is nothing to double');
  return (share) => {
    const number = numbers[share]!;
    if (number === 'impossible') throw new Error('it must be a number');
    Atomics.add(count, 0, 1);
    return number * 2;
  };
});
