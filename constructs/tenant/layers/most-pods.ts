import { parseQuantity } from '../../../kube/quantity.ts';
import type { Quota } from './merged.ts';

/** The most live pods that a namespace may have, as its quota bounds them; undefined without a bound. */
export function computeMaxPods(hard: Quota['hard']): number | undefined {
  const bounds = [hard['pods'], hard['count/pods']].flatMap((value) =>
    value === undefined ? [] : [Number(parseQuantity(value)! / parseQuantity(1)!)],
  );
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}
