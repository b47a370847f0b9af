import type { Definition } from '../../crds/definition.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import type { Controller } from '../../runtime/controller/declaration.ts';
import type { Chance } from './random.ts';
import type { FaultName } from './schedule/step.ts';
import type { SimulatedApi } from './server/simulated-api.ts';
import type { ClusterView, SeenChange } from './view.ts';

/** What somebody does, and by what chance decides. */
export interface ActionContext extends Chance {
  readonly api: SimulatedApi;
}

/** One run of the operator, for doubles of what it calls besides the API server. */
export interface SimulatedProgram {
  /** The time of the schedule. It goes on when the run has ended: what is on its way arrives all the same. */
  readonly time: Clock;
  /** Runs what an answer leads to, as soon as the run's event loop does; never where the run has ended. */
  hear(run: () => void): void;
  /** Ends it at once, and another run begins after a while; nothing where it has ended. */
  crash(): void;
  /** Asks it to end, as in a roll-out, and another run begins; nothing where it has ended. */
  restart(): void;
}

/** What is simulated, and what must hold. The names of actions and of what must hold are sentences. */
export interface SimulateProps {
  /**
   * The controllers, made anew for each run of the operator: what is in memory does not outlive it. What they call
   * besides the API server must be a double that takes no time but that of a clock.
   */
  readonly controllers: (program: SimulatedProgram) => readonly Controller[];
  /** Custom resources that the server serves. @default - none */
  readonly definitions?: readonly Definition[] | undefined;
  /** Makes what is there when the operator starts. @default - the namespaces of a new cluster */
  readonly world?: ((api: SimulatedApi) => void) | undefined;
  /**
   * What people and other programs do at times of a schedule. What the server refuses them is no
   * failure. @default - nothing
   */
  readonly actions?: Readonly<Record<string, (context: ActionContext) => void>> | undefined;
  /**
   * Asked after each change of the server: false, or what it throws, is a failure.
   * @default - nothing besides that only who leads writes
   */
  readonly always?:
    Readonly<Record<string, (view: ClusterView, change: SeenChange) => boolean | void>> | undefined;
  /** Asked when all faults have been over for so long as `calm` says. @default - nothing */
  readonly eventually?: Readonly<Record<string, (view: ClusterView) => boolean | void>> | undefined;
  /** Whether the operator writes nothing any more after that: a minute is watched. @default true */
  readonly rests?: boolean | undefined;
  /** @default - all of them */
  readonly faults?: readonly FaultName[] | undefined;
  /** With several, one leads by a Lease. @default 1 */
  readonly replicas?: number | undefined;
  /** Actions and faults a schedule, at most. @default 12 */
  readonly steps?: number | undefined;
  /** Milliseconds of virtual time that the operator has, after the last step, to make up for all of them. @default 300,000 */
  readonly calm?: number | undefined;
  /** How many schedules are tried. @default 200 */
  readonly schedules?: number | undefined;
  /** The same seed tries the same schedules. @default 1 */
  readonly seed?: number | undefined;
  /** Runs one schedule alone, as a failure told it. @default - as many as `schedules` says */
  readonly replay?: string | undefined;
}
