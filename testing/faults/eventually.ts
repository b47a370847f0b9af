import { setImmediate as turn } from 'node:timers/promises';

/** Lets the event loop turn until it is so; throws after 5 seconds, with the sentence. */
export async function eventually(what: string, ask: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!ask()) {
    if (performance.now() > deadline) throw new Error(`it must be so that ${what}`);
    await turn();
  }
}
