import type { Client } from '@tenantry/runtime/client/client';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ConfigMap, Secret } from '@tenantry/runtime/kinds/core';
import type { Chance } from '@tenantry/testing/simulation/random';
import type { Ledger } from './ledger.ts';
import { shopOf } from './shops.ts';

export interface WritersProps {
  /** A client without faults. */
  readonly client: Client;
  readonly namespace: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** Milliseconds between two writes. */
  readonly every: number;
}

const mostShops = 40;

/** Creates, changes and deletes shops at a steady rate, and sometimes deletes a till without its controller. */
export async function write(props: WritersProps, until: AbortSignal): Promise<void> {
  const { clock, every } = props;
  let due = clock.now();
  while (!until.aborted) {
    due += every;
    await writeOnce(props).catch(unlessRefused);
    await clock.sleep(Math.max(0, due - clock.now()), until).catch(() => {});
  }
}

/** Ignores the error for a shop that is gone, or that is still being deleted. */
function unlessRefused(error: unknown): void {
  const isExpected = error instanceof ApiError && (error.isNotFound || error.status === 409);
  if (!isExpected) throw error;
}

async function writeOnce({ client, namespace, chance, ledger }: WritersProps): Promise<void> {
  const name = `shop-${chance.whole(1, mostShops)}`;
  const part = chance.random();
  if (part < 0.3) {
    ledger.changed(await client.create(ConfigMap, shopOf(namespace, name, 1)));
  } else if (part < 0.75) {
    const isClosed = String(chance.happens(0.15));
    const data = { size: String(chance.whole(1, 1_000_000)), isClosed };
    ledger.changed(await client.patch(ConfigMap, { namespace, name }, { data }));
  } else if (part < 0.9) {
    const waiting = await client.delete(ConfigMap, { namespace, name });
    if (waiting) ledger.deleted(waiting.metadata.uid);
    else ledger.vanished(name);
  } else if (part < 0.95) {
    await client.delete(Secret, { namespace, name });
  } else {
    await client.patch(Secret, { namespace, name }, { data: { size: 'AAAA' } });
  }
}
