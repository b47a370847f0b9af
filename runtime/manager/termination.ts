/** A signal that aborts when the process is asked to end. */
export interface Termination {
  readonly signal: AbortSignal;
  /** Listens no longer. */
  end(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** The first SIGTERM or SIGINT aborts the signal; a second one ends the process, as if nobody listened. */
export function listenForTermination(): Termination {
  const controller = new AbortController();
  const end = (): void => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
  const stop = (signal: NodeJS.Signals): void => {
    end();
    controller.abort(new Error(`got ${signal}`));
  };
  for (const signal of signals) process.on(signal, stop);
  return { signal: controller.signal, end };
}
