import type { KubeObject } from '../../kube/object.ts';
import type { KeptLive } from '../cluster/tenant-objects.ts';

/** An object that is not as it is declared. */
export interface DifferingObject {
  readonly key: string;
  /** Undefined: it is not there. */
  readonly live?: KeptLive;
  /** Whether it is as it may have been declared before. @default - by what is kept of it */
  readonly isAs?: (before: KubeObject) => boolean;
}

/** Whether an object that is not as declared is as it was declared a short while ago. */
export type IsRollingOut = (differing: DifferingObject) => boolean;

/** Nothing was declared otherwise a short while ago. */
export const nothingRollsOut: IsRollingOut = () => false;
