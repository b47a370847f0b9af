import type { Client } from '../runtime/client/client.ts';
import type { Colors } from './settings.ts';
import { followTenants } from './tenants/following.ts';
import { runUntilInterrupted } from './cluster/interruption.ts';
import { Screen } from './tenants/screen.ts';
import type { LiveTenant } from './tenants/standing.ts';
import { TenantScreen, TenantLog, type WatchConsole } from './tenants/watching.ts';
import { paintIf } from './words.ts';

/** The formats that can be printed line by line. */
export type WatchedOutput = 'table' | 'wide' | 'json';

/** Milliseconds between two checks for something to draw. */
const tick = 100;

/**
 * Prints the state of tenants until Ctrl-C. It redraws a terminal; elsewhere it prints a line for
 * each change.
 * @returns the tenants in their last state
 */
export async function watchTenants(
  client: Client,
  name: string | undefined,
  output: WatchedOutput,
  colors: Colors,
): Promise<readonly LiveTenant[]> {
  const telling: WatchConsole = {
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    paint: paintIf(colors.out),
    paintError: paintIf(colors.err),
    now: () => new Date(),
  };
  const isDrawn = process.stdout.isTTY && output !== 'json';
  const last = await runUntilInterrupted((signal) =>
    isDrawn
      ? draw(client, name, output, telling, signal)
      : followTenants(client, new TenantLog(telling, output), { name, signal }),
  );
  return [...last.values()];
}

async function draw(
  client: Client,
  name: string | undefined,
  output: WatchedOutput,
  telling: WatchConsole,
  signal: AbortSignal,
): ReturnType<typeof followTenants> {
  const { stdout } = process;
  const screen = new Screen({
    get rows() {
      return stdout.rows;
    },
    write: (text) => void stdout.write(text),
  });
  const drawn = new TenantScreen(screen, telling, output === 'wide', name);
  const resized = (): void => drawn.resized();
  const timer = setInterval(() => drawn.tick(), tick);
  stdout.on('resize', resized);
  try {
    return await followTenants(client, drawn, { name, signal });
  } finally {
    clearInterval(timer);
    stdout.off('resize', resized);
  }
}
