/** What `import ... from 'tenantry/testing'` gives: what tests of operators and of definitions need. */
export { VirtualClock } from './testing/clock/virtual-clock.ts';
export { seededRandom, type Chance } from './testing/simulation/random.ts';
export { UnsteadyClock, type UnsteadyClockProps } from './testing/clock/unsteady-clock.ts';
export { until, untilGone, untilObject, type UntilOptions } from './testing/waiting/until.ts';

export {
  sharedControlPlane,
  startControlPlane,
  type ControlPlaneOptions,
} from './testing/controlplane/start-control-plane.ts';
export type {
  ControlPlane,
  ServiceAccountName,
  UserOptions,
} from './testing/controlplane/control-plane.ts';
export type { ClusterUser } from './testing/controlplane/cluster-user.ts';
export type { AuditEntry } from './testing/controlplane/audit-log.ts';
export type { Manifest } from './testing/controlplane/manifests.ts';

export { FaultyProxy, type FaultyProxyOptions } from './testing/faults/faulty-proxy.ts';
export type { AnswerFault, Crash, Fault, RequestFault } from './testing/faults/fault.ts';
/**
 * Which requests a fault meets, for `next`, `always` and others of a `FaultyProxy`.
 *
 * @example
 * ```ts
 * import { core } from 'tenantry/runtime';
 * import { requests, type FaultyProxy } from 'tenantry/testing';
 *
 * const { isWatch, isWrite, nth, of } = requests;
 *
 * export function hurt(proxy: FaultyProxy): void {
 *   proxy.next({ kind: 'crash', at: 'after' }, nth(3, of(core.Pod, isWrite)));
 *   proxy.always({ kind: 'repeat' }, isWatch);
 * }
 * ```
 */
export * as requests from './testing/faults/requests.ts';
export type { Matches } from './testing/faults/requests.ts';
export type { Received } from './testing/faults/scripted-server.ts';
export { TcpProxy } from './testing/faults/tcp-proxy.ts';

export {
  accessUse,
  type AccessUse,
  type AccessUseProps,
  type AskedAccess,
  type AuditedRequest,
  type RefusedAccess,
} from './testing/access/access-use.ts';

export type { FaultName } from './testing/simulation/schedule/step.ts';
export { NotSimulated } from './testing/simulation/server/errors.ts';
export type { SimulatedApi } from './testing/simulation/server/simulated-api.ts';
export {
  SimulatedApiServer,
  type SimulatedApiServerProps,
} from './testing/simulation/server/simulated-api-server.ts';
export {
  simulate,
  SimulationFailed,
  type SimulationReport,
} from './testing/simulation/simulate.ts';
export type {
  ActionContext,
  SimulatedProgram,
  SimulateProps,
} from './testing/simulation/simulate-props.ts';
export type { ClusterView, SeenChange } from './testing/simulation/view.ts';

export { arbitraryValue } from './schema/arbitrary.ts';
export {
  arbitraryObject,
  roundTrip,
  RoundTripError,
  type RoundTripOptions,
} from './crds/testing.ts';
