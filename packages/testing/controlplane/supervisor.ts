/**
 * Supervises the processes of one cluster and its data folder (the first argument; `keep` as the second
 * one keeps the folder). It ends the processes and removes the folder when the process that forked it
 * ends, whether by itself, by Ctrl-C or by SIGKILL. It is the leader of its own session, so that no
 * signal of a terminal reaches the cluster first. If the supervisor is killed with SIGKILL, its
 * processes end too (go/parent_linux.go), but the folder stays.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync, rmSync } from 'node:fs';

/** A message to the supervisor. */
export interface StartMessage {
  /** Unique in a cluster. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Added to the supervisor's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file for its stdout and stderr. */
  readonly log: string;
}

/** A message from the supervisor: a process could not start, or ended. */
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

/** Kills the processes at once: etcd can continue from its log on disk. */
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
