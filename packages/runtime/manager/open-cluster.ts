import { CacheSet } from '../cache/cache-set.ts';
import type { Client } from '../client/client.ts';
import { openClient } from '../client/open-client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { Connection } from '../connection/connection.ts';
import { connectionFrom } from '../connection/connection-from.ts';
import type { Caches } from '../controller/caches.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';
import type { Log, LogFields } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ReflectorEvent } from '../watch/options.ts';

/** The client and caches of a manager. */
export interface OpenCluster {
  readonly client: Client;
  readonly caches: Caches;
  /** Fills the caches and keeps them up to date until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Closes what was opened for it. */
  close(): void;
}

interface OpenClusterProps {
  /** @default - over the connection */
  readonly client: Client | undefined;
  /** @default - `connectionFrom()` */
  readonly connection?: Connection | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** @default - nothing is counted */
  readonly metrics: Pick<Metrics, 'requests' | 'watches'> | undefined;
}

/** Opens a client and the caches over it. A given client stays open. */
export async function openCluster(props: OpenClusterProps): Promise<OpenCluster> {
  if (props.client) return createCluster(props.client, props);
  const { clock, log, metrics } = props;
  const connection = props.connection ?? (await connectionFrom({ clock }));
  const client = openClient(connection, { clock, log, observer: metrics?.requests });
  return createCluster(client, props, () => client.close());
}

export function createCluster(
  client: Client,
  { clock, random, log, metrics }: Omit<OpenClusterProps, 'client'>,
  close: () => void = () => undefined,
): OpenCluster {
  const set = new CacheSet({
    reader: client,
    clock,
    random,
    onError: (error, kind) => {
      log.error('a cache could not process an object', { error, kind: resourceOf(kind) });
      metrics?.watches.countCacheError(kind);
    },
    observe: (event, kind) => {
      logReflectorEvent(log, event, kind);
      metrics?.watches.observe(event, kind);
    },
  });
  metrics?.watches.countCaches(() => set.sizes());
  return {
    client,
    caches: {
      open: (kind, { selection, metadataOnly, project }) => {
        if (project) return set.open({ kind, selection, metadataOnly, project });
        return metadataOnly
          ? set.open({ kind, selection, metadataOnly })
          : set.open({ kind, selection });
      },
      written: (kind, object) => set.written(kind, object),
      deleted: (kind, name, uid) => set.deleted(kind, name, uid),
    },
    run: (signal) => set.run(signal),
    close,
  };
}

/** Logs events of lists and watches, with durations in whole milliseconds. */
function logReflectorEvent(log: Log, event: ReflectorEvent, of: Kind): void {
  const kind = resourceOf(of);
  const { type: _, outage: __, ...rest } = { outage: undefined, ...event };
  const fields = { kind, ...roundNumbers(rest) };
  switch (event.type) {
    case 'listed':
      return log.info('all objects of a kind have been read', fields);
    case 'unreadable':
      return log.error('an object cannot be read', { kind, object: event.key, error: event.error });
    case 'ended':
      return log.debug('a watch ended, and is resumed', fields);
    case 'paging':
      return log.info('the server cannot stream lists, so they are requested in pages', fields);
    case 'failed':
      if (event.cause === 'absent') log.warn('a kind is not served, and is waited for', fields);
      else if (event.cause === 'expired')
        log.info('a resource version is too old; all objects are read again', fields);
      else log.warn('a list or watch failed, and is tried again', fields);
      return;
    case 'recovered': {
      const { since, until } = event.outage;
      const milliseconds = Math.round(until - since);
      return log.info('a kind is read again after failures', { kind, milliseconds });
    }
  }
}

function roundNumbers(fields: object): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? Math.round(value) : value,
    ]),
  );
}
