import { systemClock } from '@tenantry/runtime/clock/clock';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { isWatch } from '@tenantry/testing/faults/requests';
import { until } from '@tenantry/testing/waiting/until';

export interface RestProps {
  readonly cluster: ClusterAccess;
  /** The proxy of the operator's requests. */
  readonly proxy: FaultyProxy;
  /** Milliseconds during which nothing may happen. */
  readonly lasting: number;
}

/**
 * Waits for a period without writes and without requests of the operator, and returns the number of writes before it.
 * Writes of Kubernetes itself do not count. With an operator that keeps sending requests, there is no such period.
 */
export async function untilAtRest({ cluster, proxy, lasting }: RestProps): Promise<number> {
  return until(
    `nothing is written or requested during ${lasting} ms`,
    async () => {
      const before = writesIn(cluster).length;
      const asked = new Set(proxy.received);
      await systemClock.sleep(lasting);
      const written = writesIn(cluster).slice(before);
      const since = proxy.received.filter((one) => !asked.has(one) && !isWatch(one));
      const urls = since.map(({ method, url }) => `${method} ${url}`);
      if (written.length + urls.length > 0) throw new Error([...written, ...urls].join('\n'));
      return before;
    },
    { within: Math.max(120_000, 4 * lasting) },
  );
}

function writesIn(cluster: ClusterAccess): string[] {
  return cluster
    .auditLog()
    .filter(({ verb }) => ['create', 'update', 'patch', 'delete'].includes(verb))
    .filter(({ user }) => !user.username.startsWith('system:'))
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
}
