import type { KubeObject } from '../../kube/object.ts';
import type { KeptLive } from '../cluster/tenant-objects.ts';

/** An object that differs from its declaration. */
export interface DifferingObject {
  readonly key: string;
  /** Undefined if it does not exist. */
  readonly live?: KeptLive;
  /** Whether it matches an earlier declaration. @default - compares what is kept of it */
  readonly isAs?: (before: KubeObject) => boolean;
}

/** Whether an object that differs from its declaration still matches a recent one. */
export type IsRollingOut = (differing: DifferingObject) => boolean;

/** For tenants without a recent change of their declaration. */
export const nothingRollsOut: IsRollingOut = () => false;
