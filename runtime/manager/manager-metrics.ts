import type { CertificateSource } from '../certificates/serving-certificate.ts';
import { ScrapeAccess } from '../metrics/scrape-access.ts';
import type { MetricsRegistry } from '../metrics/instruments.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { MetricsServer } from '../metrics/metrics-server.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { LeaderElection } from '../leader/leader-election.ts';
import type { Log } from '../log/log.ts';

/** What metrics a manager serves, to whom, and where. */
export interface ManagerMetricsProps {
  /** Where they are put, with those of your own: a `Registry` of prom-client. @default - a new one */
  readonly registry?: MetricsRegistry | undefined;
  /** Also those of the process and of Node: `process_*`, `nodejs_*`. @default true */
  readonly ofProcess?: boolean | undefined;
  /** @default - all addresses of the machine */
  readonly host?: string | undefined;
  /** 0 is any that is free. @default 8080 */
  readonly port?: number | undefined;
  /** Serves HTTPS by this; it is kept up to date elsewhere (`run`). @default - plain HTTP */
  readonly certificate?: Pick<CertificateSource, 'current' | 'onChange'> | undefined;
  /**
   * Only who may `get` the nonResourceURL /metrics by RBAC reads them; the manager's access then has what
   * is needed to ask for that. It needs a certificate.
   * @default false: whoever reaches the port reads them
   */
  readonly isProtected?: boolean | undefined;
}

export interface ManagerMetricsDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves the metrics of a manager. */
export function createMetricsServer(
  metrics: Metrics,
  { host, port, certificate, isProtected = false }: ManagerMetricsProps,
  { client, clock, log }: ManagerMetricsDeps,
): MetricsServer {
  const access = isProtected ? new ScrapeAccess({ client, clock }) : undefined;
  return new MetricsServer({ metrics, host, port, certificate, access, clock, log });
}

/** The election, of which it is counted whether this replica leads. */
export function withLeaderMetric(
  election: LeaderElection,
  { leads }: Pick<Metrics, 'leads'>,
): LeaderElection {
  const { name = 'leader' } = election;
  leads(name, false);
  return {
    name,
    isLeading: () => election.isLeading(),
    run: (lead, signal) =>
      election.run(async (leading) => {
        leads(name, true);
        leading.addEventListener('abort', () => leads(name, false), { once: true });
        await lead(leading).finally(() => leads(name, false));
      }, signal),
  };
}
