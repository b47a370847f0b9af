import type { Clock } from '../clock/clock.ts';
import { toLoggable } from './loggable.ts';

/** In ascending order. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Variable values, by name. An error becomes its message, stack and cause. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. The sentence is constant and describes what happened; the fields contain the details. */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
  /** Returns a log with these fields in every line. The innermost of several fields with the same name is used. */
  with(fields: LogFields): Log;
}

/** Options of a JSON log. */
export interface JsonLogProps {
  /** The clock for the time of each line. */
  readonly clock: Clock;
  /** Lower levels are left out. @default info */
  readonly level?: LogLevel | undefined;
  /** Writes a line, including its line break. @default - standard error */
  readonly write?: ((line: string) => void) | undefined;
}

/** A log whose level can be changed at run time, together with that of all derived logs. */
export interface JsonLog extends Log {
  level: LogLevel;
}

/**
 * Returns a log that writes one JSON object per line: `time` (RFC 3339), `level`, `msg`, then the fields
 * (`toLoggable`). A field with one of those names gets an underscore appended. It never throws.
 *
 * @example
 * ```ts
 * import { jsonLog, systemClock } from 'tenantry/runtime';
 *
 * const lines: string[] = [];
 * const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
 * log.debug('below the level');
 * log.with({ controller: 'shops' }).warn('the shop is closed', { shop: 'mall/a' });
 * const { level, msg, controller, shop } = JSON.parse(lines.join(''));
 * console.log(level, msg, controller, shop); // warn the shop is closed shops mall/a
 * ```
 */
export function jsonLog({ clock, level = 'info', write = toStandardError }: JsonLogProps): JsonLog {
  return new JsonLines({ clock, write, lowest: level }, {});
}

/** The state that derived logs share. */
interface Shared {
  readonly clock: Clock;
  readonly write: (line: string) => void;
  lowest: LogLevel;
}

/** Each reconcile has its own, so it must be cheap, and its functions must work unbound. */
class JsonLines implements JsonLog {
  readonly #shared: Shared;
  readonly #outer: LogFields;

  constructor(shared: Shared, outer: LogFields) {
    this.#shared = shared;
    this.#outer = outer;
  }

  get level(): LogLevel {
    return this.#shared.lowest;
  }

  set level(level: LogLevel) {
    this.#shared.lowest = level;
  }

  readonly debug: Log['debug'] = (sentence, fields) => this.#write('debug', sentence, fields);
  readonly info: Log['info'] = (sentence, fields) => this.#write('info', sentence, fields);
  readonly warn: Log['warn'] = (sentence, fields) => this.#write('warn', sentence, fields);
  readonly error: Log['error'] = (sentence, fields) => this.#write('error', sentence, fields);
  readonly with: Log['with'] = (fields) =>
    new JsonLines(this.#shared, { ...this.#outer, ...fields });

  #write(level: LogLevel, msg: string, fields: LogFields = {}): void {
    const { clock, write, lowest } = this.#shared;
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const time = clock.date().toISOString();
    write(`${formatLine({ time, level, msg }, { ...this.#outer, ...fields })}\n`);
  }
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

function formatLine(head: LogFields, fields: LogFields): string {
  const entries = Object.entries(fields).map(
    ([name, value]) =>
      [Object.hasOwn(head, name) ? `${name}_` : name, toLoggableSafely(value)] as const,
  );
  return JSON.stringify({ ...head, ...Object.fromEntries(entries) });
}

/** Getters and conversions may throw. */
function toLoggableSafely(value: unknown): unknown {
  try {
    return toLoggable(value);
  } catch (error) {
    return `[cannot be logged: ${error instanceof Error ? `${error.name}: ${error.message}` : typeof error}]`;
  }
}
