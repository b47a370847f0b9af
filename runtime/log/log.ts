import type { Clock } from '../clock/clock.ts';

/** In rising order. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** What varies, by name; an error becomes its message, its stack and its cause. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A constant sentence says what happened, fields say to what. */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
  /** A log with these fields in every line; of two fields of one name the nearer one holds. */
  with(fields: LogFields): Log;
}

export interface JsonLogProps {
  /** For the time of each line. */
  readonly clock: Clock;
  /** What is below it, is left out. @default info */
  readonly level?: LogLevel | undefined;
  /** Takes a line with its end. @default - standard error */
  readonly write?: ((line: string) => void) | undefined;
}

/**
 * A log of one JSON object a line: `time` (RFC 3339), `level`, `message`, then the fields. It never
 * throws: a field that JSON cannot say is told as text.
 */
export function jsonLog({ clock, level = 'info', write = toStandardError }: JsonLogProps): Log {
  const lowest = levels.indexOf(level);
  const logOf = (outer: LogFields): Log => {
    const at =
      (level: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        if (levels.indexOf(level) < lowest) return;
        const time = clock.date().toISOString();
        write(`${lineOf({ time, level, message }, { ...outer, ...fields })}\n`);
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (fields) => logOf({ ...outer, ...fields }),
    };
  };
  return logOf({});
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

function lineOf(head: LogFields, fields: LogFields): string {
  const told = Object.entries(fields).map(([name, value]) => [
    Object.hasOwn(head, name) ? `${name}_` : name,
    sayable(value),
  ]);
  return JSON.stringify({ ...head, ...Object.fromEntries(told) });
}

/** The value if JSON can say it, else as text. */
function sayable(value: unknown): unknown {
  if (value instanceof Error) return errorFields(value, 0);
  if (typeof value === 'bigint') return String(value);
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return String(value);
  }
}

const deepestCause = 5;

function errorFields(error: Error, depth: number): LogFields {
  const { name, message, stack, cause } = error;
  if (cause === undefined || depth === deepestCause) return { name, message, stack };
  const told = cause instanceof Error ? errorFields(cause, depth + 1) : sayable(cause);
  return { name, message, stack, cause: told };
}
