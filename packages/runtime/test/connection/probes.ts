import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Returns the seconds until TCP probes each connection that this process opens to 127.0.0.1 meanwhile, on Linux. */
export async function probesWhile(run: () => Promise<unknown>): Promise<number[]> {
  const sockets: Socket[] = [];
  const note = (message: unknown): unknown => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  await run();
  unsubscribe('net.client.socket', note);
  return sockets.map(({ localPort = 0 }) => probeOf(localPort));
}

/**
 * Returns the seconds of the timer of our end in /proc/net/tcp; NaN if it has none. The other end is in another line.
 */
function probeOf(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const [kind, when = ''] = (rows.find(([, own]) => own === local)?.[5] ?? '').split(':');
  return kind === '02' ? parseInt(when, 16) / 100 : NaN;
}
