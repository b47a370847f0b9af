import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

/** What is to be run. */
export interface Order {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The last that a run prints, to both streams; with its exit code. */
export const endOf = (code: string): string => `\0the command has ended: ${code}\0`;

type Listener = (...args: unknown[]) => void;

const emitters: readonly NodeJS.EventEmitter[] = [process, process.stdout, process.stderr];

/**
 * Runs the built command each time that its parent sends an order. Node and other people's packages stay
 * loaded; all of ours is loaded anew, so that nothing is left of the run before. A run ends when it has
 * nothing more to do, as a process does. What ends a process ends this one.
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
    // One that stays would keep what it loaded before.
    const require = createRequire(main);
    for (const path of Object.keys(require.cache)) {
      if (path.startsWith(build)) delete require.cache[path];
    }
    // The parent's orders alone do not keep a run alive.
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

/** The listeners of an event that were not there before. */
function added(before: Listeners, emitter: NodeJS.EventEmitter, name: string | symbol): Listener[] {
  const listeners = emitter.rawListeners(name) as Listener[];
  return listeners.filter((listener) => !before.get(emitter)?.has(listener));
}

if (import.meta.main) serve(process.argv[2]!);
