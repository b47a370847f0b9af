/**
 * Holds the processes of one cluster and its data folder (the first argument; a second one, `keep`,
 * lets the folder stay), and ends both when the
 * process that forked it goes away, however it goes: by its own will, by Ctrl-C, by SIGKILL. It is
 * the leader of its own session, so that no signal of a terminal reaches the cluster first. Ended
 * itself with SIGKILL it takes its processes along (go/parent_linux.go), but leaves the folder.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync, rmSync } from 'node:fs';

/** What a supervisor is told. */
export interface StartMessage {
  /** Unique in a cluster. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Besides the supervisor's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its stdout and stderr go. */
  readonly log: string;
}

/** What a supervisor says: a process could not start, or ended. */
export interface ExitMessage {
  readonly name: string;
  /** 'exit 1', 'SIGKILL', 'spawn ENOENT' */
  readonly how: string;
}

const [folder = '', keep] = process.argv.slice(2);
const running = new Set<ChildProcess>();
let ending = false;

function start({ name, file, args, env, log }: StartMessage): void {
  const output = openSync(log, 'a');
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env, TENANTRY_PARENT_PID: String(process.pid) },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  running.add(child);
  const ended = (how: string): void => {
    if (!running.delete(child)) return;
    if (ending) exitWhenEmpty();
    else process.send?.({ name, how } satisfies ExitMessage);
  };
  child.on('error', (error) => ended(error.message));
  child.on('exit', (code, signal) => ended(signal ?? `exit ${code}`));
}

/** At once and without a last word: etcd's log on disk is enough to go on from. */
function end(): void {
  if (ending) return;
  ending = true;
  for (const child of running) child.kill('SIGKILL');
  exitWhenEmpty();
}

function exitWhenEmpty(): void {
  if (running.size > 0) return;
  if (keep === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

process.on('message', (message) => start(message as StartMessage));
process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
if (!process.connected) end();
