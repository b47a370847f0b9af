/** What `import ... from '@tenantry/testing'` gives: what tests of operators and of definitions need. */
export { VirtualClock } from './clock/virtual-clock.ts';
export { seededRandom, type Chance } from './simulation/random.ts';
export { UnsteadyClock, type UnsteadyClockProps } from './clock/unsteady-clock.ts';
export { until, untilGone, untilObject, type UntilOptions } from './waiting/until.ts';

export {
  sharedControlPlane,
  startControlPlane,
  type ControlPlaneOptions,
} from './controlplane/start-control-plane.ts';
export type {
  ControlPlane,
  ServiceAccountName,
  UserOptions,
} from './controlplane/control-plane.ts';
export type { ClusterUser } from './controlplane/cluster-user.ts';
export type { AuditEntry } from './controlplane/audit-log.ts';
export type { Manifest } from './controlplane/manifests.ts';

export { FaultyProxy, type FaultyProxyOptions } from './faults/faulty-proxy.ts';
export type { AnswerFault, Crash, Fault, RequestFault } from './faults/fault.ts';
/**
 * Which requests a fault meets, for `next`, `always` and others of a `FaultyProxy`.
 *
 * @example
 * ```ts
 * import { core } from '@tenantry/runtime';
 * import { requests, type FaultyProxy } from '@tenantry/testing';
 *
 * const { isWatch, isWrite, nth, of } = requests;
 *
 * export function hurt(proxy: FaultyProxy): void {
 *   proxy.next({ kind: 'crash', at: 'after' }, nth(3, of(core.Pod, isWrite)));
 *   proxy.always({ kind: 'repeat' }, isWatch);
 * }
 * ```
 */
export * as requests from './faults/requests.ts';
export type { Matches } from './faults/requests.ts';
export type { Received } from './faults/scripted-server.ts';
export { TcpProxy } from './faults/tcp-proxy.ts';

export {
  accessUse,
  type AccessUse,
  type AccessUseProps,
  type AskedAccess,
  type AuditedRequest,
  type RefusedAccess,
} from './access/access-use.ts';

export type { FaultName } from './simulation/schedule/step.ts';
export { NotSimulated } from './simulation/server/errors.ts';
export type { SimulatedApi } from './simulation/cluster-view.ts';
export {
  SimulatedApiServer,
  type SimulatedApiServerProps,
} from './simulation/server/simulated-api-server.ts';
export { simulate, SimulationFailed, type SimulationReport } from './simulation/simulate.ts';
export type {
  ActionContext,
  SimulatedProgram,
  SimulateProps,
} from './simulation/simulate-props.ts';
export type { ClusterView, SeenChange } from './simulation/cluster-view.ts';

export { arbitraryValue } from '@tenantry/crd/schema/arbitrary';
export {
  arbitraryObject,
  roundTrip,
  RoundTripError,
  type RoundTripOptions,
} from '@tenantry/crd/testing';
