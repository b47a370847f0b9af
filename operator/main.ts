import { findHooks } from '../model/operator/hooks.ts';
import type { Platform } from '../model/declaration.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { InvalidInput } from '@tenantry/kube/problem';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { connectionFrom } from '@tenantry/runtime/connection/connection-from';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { LeadershipLost } from '@tenantry/runtime/leader/leader-election';
import { toggleDebugOnSignal, jsonLog, type JsonLog } from '@tenantry/runtime/log/log';
import { Manager, type ManagerProps } from '@tenantry/runtime/manager/manager';
import { requestController } from './break-glass/request-controller.ts';
import { hookController } from './hooks/hook-controller.ts';
import type { Settings } from './settings/settings.ts';
import { tenantController } from './tenant/tenant-controller.ts';

/** The settings and dependencies of the operator. */
export interface OperatorProps {
  readonly settings: Settings;
  readonly platform: Platform;
  /** One of the platform's clusters. */
  readonly cluster: string;
}

/** The operator cannot run until somebody corrects its environment. The message names the problem. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

/**
 * Runs the operator until the signal aborts, then shuts it down in order.
 * @param signal Default: aborts at SIGTERM and SIGINT
 * @throws {InvalidInput} if the kubeconfig is invalid, with its place
 * @throws {CannotRun} if there is no cluster to connect to, a port is taken, or the lease was lost
 */
export async function runOperator(props: OperatorProps, signal?: AbortSignal): Promise<void> {
  const { settings, cluster } = props;
  const connection = await openConnection(settings);
  const log = jsonLog({ clock: systemClock, level: settings.logLevel });
  log.info('the operator starts', { cluster, server: connection.server });
  if (connection.isInsecure) log.warn('the certificate of the API server is not checked');
  if (!settings.leaderElection) {
    log.warn('leader election is off: a second operator would overwrite the changes of this one');
  }
  const endSignals = toggleDebugOnSignal(log);
  try {
    await operatorManager(props, connection, log).run(signal);
  } catch (error) {
    throw explainFailure(error) ?? error;
  } finally {
    endSignals();
  }
}

/** Builds the operator's manager without starting it. */
export function operatorManager(
  { settings, platform, cluster }: OperatorProps,
  connection?: Connection,
  log?: JsonLog,
): Manager {
  const { rolloutDeadline, concurrency, metricsAddress, healthAddress, gracefulStop } = settings;
  const { leaseName, leaseNamespace = platform.operatorNamespace } = settings;
  const lease = { name: leaseName, namespace: leaseNamespace };
  const { hookCredentials: credentials } = settings;
  const hooks =
    findHooks(platform, cluster).length > 0
      ? [hookController({ platform, cluster, credentials, environment: process.env })]
      : [];
  const requests =
    platform.driftPolicy === 'Heal' ? [requestController({ platform, cluster })] : [];
  const tenants = tenantController({ platform, cluster, rolloutDeadline, concurrency });
  const props: ManagerProps = omitUndefined({
    controllers: [tenants, ...requests, ...hooks],
    connection,
    log,
    gracefulStop,
    leaderElection: settings.leaderElection
      ? (deps) => leaseElection({ ...deps, lease })
      : undefined,
    metrics: metricsAddress !== 'off' ? metricsAddress : undefined,
    health: healthAddress !== 'off' ? { ...healthAddress, isReadyInOutages: false } : undefined,
  });
  return new Manager(props);
}

async function openConnection({ kubeconfig, context }: Settings): Promise<Connection> {
  try {
    return await connectionFrom({ kubeconfig, context });
  } catch (cause) {
    if (cause instanceof InvalidInput) throw cause;
    throw new CannotRun((cause as Error).message, { cause });
  }
}

/** Returns the cause in the system or the cluster; undefined for an internal error. */
function explainFailure(error: unknown): CannotRun | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (!(error instanceof LeadershipLost) && typeof code !== 'string') return undefined;
  return new CannotRun(error.message, { cause: error });
}
