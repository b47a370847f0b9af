import { until } from '../waiting/until.ts';

/** Lets the event loop turn until it is so; throws after 5 seconds, with the sentence. */
export async function eventually(what: string, ask: () => boolean): Promise<void> {
  await until(what, ask, { within: 5000, every: 0 });
}
