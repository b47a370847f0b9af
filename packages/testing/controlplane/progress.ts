const interval = 15_000;

/** Reports progress every 15 seconds until the work ends, so that nobody thinks that it hangs. */
export async function withProgress<T>(
  report: (line: string) => void,
  describe: (elapsed: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const timer = setInterval(() => report(describe(elapsedSince(started))), interval);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** '45 s', '2 min 15 s' */
export function elapsedSince(started: number): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Writes a line to standard error, separate from the program's output. */
export function toStderr(line: string): void {
  process.stderr.write(`tenantry: ${line}\n`);
}
