const signals = ['SIGINT', 'SIGTERM'] as const;

/** Runs an action with a signal that Ctrl-C aborts. A second Ctrl-C ends the process as usual. */
export async function runUntilInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const abort = (): void => end.abort();
  for (const name of signals) process.once(name, abort);
  try {
    return await run(end.signal);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}
