import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

/** A run of the command. */
export interface Order {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the marker that a run prints last to both streams, with its exit code. */
export const endOf = (code: string): string => `\0the command has ended: ${code}\0`;

type Listener = (...args: unknown[]) => void;

const emitters: readonly NodeJS.EventEmitter[] = [process, process.stdout, process.stderr];

/**
 * Runs the built command each time its parent sends an order. Node and third-party packages stay
 * loaded. The modules of Tenantry are loaded again, so that no state of an earlier run remains.
 * Like a process, a run ends when it has nothing left to do. A call that exits the process ends
 * this one.
 */
function serve(main: string): void {
  const build = dirname(dirname(main)) + sep;
  process.on('disconnect', () => process.exit());
  process.on('message', (order: Order) => {
    const listeners = listenersNow();
    process.argv = [process.execPath, main, ...order.args];
    process.chdir(order.cwd);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, order.env);
    // A kept module would keep the state of an earlier run.
    const require = createRequire(main);
    for (const path of Object.keys(require.cache)) {
      if (path.startsWith(build)) delete require.cache[path];
    }
    // Waiting for orders must not keep a run alive.
    process.channel!.unref();
    require(main);
    process.once('beforeExit', () => {
      for (const listener of added(listeners, process, 'exit')) listener(process.exitCode ?? 0);
      const end = endOf(String(process.exitCode ?? 0));
      for (const emitter of emitters) {
        for (const name of emitter.eventNames()) {
          for (const listener of added(listeners, emitter, name)) emitter.off(name, listener);
        }
      }
      process.exitCode = undefined;
      process.channel!.ref();
      process.stdout.write(end);
      process.stderr.write(end);
    });
  });
}

type Listeners = ReadonlyMap<NodeJS.EventEmitter, ReadonlySet<unknown>>;

const listenersNow = (): Listeners =>
  new Map(
    emitters.map((emitter) => [
      emitter,
      new Set<unknown>(emitter.eventNames().flatMap((name) => emitter.rawListeners(name))),
    ]),
  );

/** Returns the listeners of an event that were added since. */
function added(before: Listeners, emitter: NodeJS.EventEmitter, name: string | symbol): Listener[] {
  const listeners = emitter.rawListeners(name) as Listener[];
  return listeners.filter((listener) => !before.get(emitter)?.has(listener));
}

if (import.meta.main) serve(process.argv[2]!);
