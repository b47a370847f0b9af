import type { Log, LogFields } from '@tenantry/runtime/log/log';

/** The events of a schedule as text for people. It builds no text while it is off. */
export class Trace {
  readonly lines: string[] = [];
  readonly isOn: boolean;
  readonly #now: () => number;

  constructor(now: () => number, { isOn }: { readonly isOn: boolean }) {
    this.isOn = isOn;
    this.#now = now;
  }

  record(who: string, what: () => string): void {
    if (!this.isOn) return;
    const seconds = (this.#now() / 1000).toFixed(3).padStart(9);
    this.lines.push(`${seconds} s  ${who.padEnd(22)} ${what()}`);
  }
}

/** The log of a process, which passes warnings and errors to the trace. */
export class TracedLog implements Log {
  readonly #trace: Trace;
  readonly #who: string;

  constructor(trace: Trace, who: string) {
    this.#trace = trace;
    this.#who = who;
  }

  debug(): void {}

  info(): void {}

  warn(sentence: string, fields?: LogFields): void {
    this.#say(sentence, fields);
  }

  error(sentence: string, fields?: LogFields): void {
    this.#say(sentence, fields);
  }

  with(): Log {
    return this;
  }

  #say(sentence: string, fields: LogFields = {}): void {
    this.#trace.record(this.#who, () => {
      const { error } = fields;
      const why = error instanceof Error ? error.message : error;
      return `logs: ${sentence}${why === undefined ? '' : `: ${String(why)}`}`;
    });
  }
}
