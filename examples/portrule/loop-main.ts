import { connectionFrom, jsonLog, openClient, systemClock } from '@tenantry/runtime';
import { Loop } from './loop.ts';

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort());

/** Runs in a pod, or with the kubeconfig of your machine, until SIGTERM or Ctrl-C. */
const client = openClient(await connectionFrom());
await new Loop(client, jsonLog({ clock: systemClock })).run(stop.signal);
client.close();
