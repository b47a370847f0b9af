import { parseQuantity } from '../../../kube/quantity.ts';
import type { Quota } from './merged.ts';

/** Returns the maximum number of live pods in a namespace, by its quota; undefined if there is no bound. */
export function computeMaxPods(hard: Quota['hard']): number | undefined {
  const bounds = [hard['pods'], hard['count/pods']].flatMap((value) =>
    value === undefined ? [] : [Number(parseQuantity(value)! / parseQuantity(1)!)],
  );
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}
