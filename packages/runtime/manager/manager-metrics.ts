import type { CertificateSource } from '../certificates/key-pair.ts';
import { ScrapeAccess } from '../metrics/scrape-access.ts';
import type { MetricsRegistry } from '../metrics/instruments.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { MetricsServer } from '../metrics/metrics-server.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { LeaderElection } from '../leader/leader-election.ts';
import type { Log } from '../log/log.ts';

/** Which metrics a manager serves, and how. */
export interface ManagerMetricsProps {
  /** The registry for all metrics, including your own: a `Registry` of prom-client. @default - a new one */
  readonly registry?: MetricsRegistry | undefined;
  /** Also export metrics of the process and of Node: `process_*`, `nodejs_*`. @default true */
  readonly ofProcess?: boolean | undefined;
  /** @default - all addresses of the machine */
  readonly host?: string | undefined;
  /** 0 takes any free port. @default 8080 */
  readonly port?: number | undefined;
  /** The certificate for HTTPS, which is kept up to date elsewhere (`run`). @default - plain HTTP */
  readonly certificate?: Pick<CertificateSource, 'current' | 'onChange'> | undefined;
  /**
   * Serves metrics only to callers that RBAC allows to `get` the nonResourceURL /metrics. The manager's access then
   * includes the reviews that check it. Requires a certificate.
   * @default false: everybody who can reach the port may read them
   */
  readonly isProtected?: boolean | undefined;
}

interface ManagerMetricsDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the server for a manager's metrics. */
export function createMetricsServer(
  metrics: Metrics,
  { host, port, certificate, isProtected = false }: ManagerMetricsProps,
  { client, clock, log }: ManagerMetricsDeps,
): MetricsServer {
  const access = isProtected ? new ScrapeAccess({ client, clock }) : undefined;
  return new MetricsServer({ metrics, host, port, certificate, access, clock, log });
}

/** Returns the election with a metric of whether this replica leads. */
export function withLeaderMetric(
  election: LeaderElection,
  { leads }: Pick<Metrics, 'leads'>,
): LeaderElection {
  const { name = 'leader' } = election;
  leads(name, { isLeading: false });
  return {
    name,
    isLeading: () => election.isLeading(),
    run: (lead, signal) =>
      election.run(async (leading) => {
        leads(name, { isLeading: true });
        leading.addEventListener('abort', () => leads(name, { isLeading: false }), { once: true });
        await lead(leading).finally(() => leads(name, { isLeading: false }));
      }, signal),
  };
}
