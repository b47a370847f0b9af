import type { Definition } from '@tenantry/crd/definition';
import type { Clock } from '@tenantry/runtime/clock/clock';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import type { Chance } from './random.ts';
import type { FaultName } from './schedule/step.ts';
import type { SimulatedApi, ClusterView, SeenChange } from './cluster-view.ts';

/** The API for an action, and the chance with which it makes its choices. */
export interface ActionContext extends Chance {
  readonly api: SimulatedApi;
}

/** One run of the operator, for test doubles of what it calls other than the API server. */
export interface SimulatedProgram {
  /** The clock of the schedule. It continues after the run has ended: calls in progress still arrive. */
  readonly time: Clock;
  /** Runs the callback of an answer as soon as the run's event loop runs; never where the run has ended. */
  hear(run: () => void): void;
  /** Ends the run at once; another run begins after a while. Does nothing where it has ended. */
  crash(): void;
  /** Requests the run to end, as in a roll-out; another run begins. Does nothing where it has ended. */
  restart(): void;
}

/** What is simulated, and which conditions must hold. The names of actions and conditions are sentences. */
export interface SimulateProps {
  /**
   * Creates the controllers for each run of the operator, as memory does not outlive a run. Other
   * services that they call must be test doubles, which take no time except by a clock.
   */
  readonly controllers: (program: SimulatedProgram) => readonly Controller[];
  /** Custom resources that the server serves. @default - none */
  readonly definitions?: readonly Definition[] | undefined;
  /** Creates the objects that exist when the operator starts. @default - the namespaces of a new cluster */
  readonly world?: ((api: SimulatedApi) => void) | undefined;
  /**
   * What people and other programs do at times of a schedule. A request that the server refuses is not
   * a failure. @default - nothing
   */
  readonly actions?: Readonly<Record<string, (context: ActionContext) => void>> | undefined;
  /**
   * Checked after each change on the server: false, or a thrown error, is a failure.
   * @default - only that no replica but the leader writes
   */
  readonly always?:
    Readonly<Record<string, (view: ClusterView, change: SeenChange) => boolean | void>> | undefined;
  /** Checked when all faults have been over for the duration of `calm`. @default - nothing */
  readonly eventually?: Readonly<Record<string, (view: ClusterView) => boolean | void>> | undefined;
  /** Whether the operator must write nothing for a minute after that. @default true */
  readonly rests?: boolean | undefined;
  /** @default - all of them */
  readonly faults?: readonly FaultName[] | undefined;
  /** The number of replicas. Several elect a leader by a Lease. @default 1 */
  readonly replicas?: number | undefined;
  /** The most actions and faults of a schedule. @default 12 */
  readonly steps?: number | undefined;
  /** Milliseconds of virtual time in which the operator must recover after the last step. @default 300,000 */
  readonly calm?: number | undefined;
  /** The number of schedules to try. @default 200 */
  readonly schedules?: number | undefined;
  /** The seed; the same seed tries the same schedules. @default 1 */
  readonly seed?: number | undefined;
  /** Runs only the schedule that a failure printed. @default - as many as `schedules` */
  readonly replay?: string | undefined;
}
