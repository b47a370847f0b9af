/** A signal that aborts when the process has to terminate. */
export interface Termination {
  readonly signal: AbortSignal;
  /** Stops listening. */
  end(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Aborts the signal at the first SIGTERM or SIGINT. A second one ends the process, as without a listener. */
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
