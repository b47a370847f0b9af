import type { Clock } from '../clock/clock.ts';

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
 * import { jsonLog, systemClock } from '@tenantry/runtime';
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

const maxDepth = 5;
const maxItems = 100;
const maxTextLength = 8192;

/**
 * Converts a value to loggable JSON. A Kubernetes object is reduced to its kind and name, since it may be a Secret;
 * bytes to their number. Errors include their causes. Long, deep and circular values are truncated.
 */
function toLoggable(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return truncate(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[function ${value.name}]`;
    case 'object':
      return value === null ? null : objectToLoggable(value, depth);
    default:
      return value;
  }
}

function objectToLoggable(value: object, depth: number): unknown {
  if (value instanceof Error) return errorToLoggable(value, depth);
  if (depth === maxDepth) return '[...]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return itemsToLoggable(value, depth);
  if (value instanceof Set) return itemsToLoggable([...value], depth);
  if (value instanceof Map) return entriesToLoggable([...value], depth);
  if ('metadata' in value && isNamed(value.metadata)) return summarizeObject(value, value.metadata);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toLoggable(value.toJSON(), depth + 1);
  }
  return entriesToLoggable(Object.entries(value), depth);
}

function itemsToLoggable(items: readonly unknown[], depth: number): unknown[] {
  const listed = items.slice(0, maxItems).map((item) => toLoggable(item, depth + 1));
  return items.length > maxItems ? [...listed, `[${items.length - maxItems} more]`] : listed;
}

function entriesToLoggable(
  entries: readonly (readonly [unknown, unknown])[],
  depth: number,
): object {
  const listed = entries
    .slice(0, maxItems)
    .map(([name, field]) => [truncate(String(name)), toLoggable(field, depth + 1)] as const);
  const more = entries.length - listed.length;
  return Object.fromEntries(more > 0 ? [...listed, ['...', `[${more} more]`]] : listed);
}

interface Named {
  readonly name?: unknown;
  readonly generateName?: unknown;
  readonly namespace?: unknown;
}

function isNamed(metadata: unknown): metadata is Named {
  return typeof metadata === 'object' && metadata !== null;
}

function summarizeObject(value: object, { name, generateName, namespace }: Named): object {
  const kind = 'kind' in value ? value.kind : undefined;
  return { kind, namespace, name: name ?? generateName };
}

/** Fields of API errors: the request and the answer. */
const apiErrorFields = ['code', 'status', 'reason', 'request'] as const;

function errorToLoggable(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const fields: { [name: string]: unknown } = { name, message: truncate(message) };
  for (const field of apiErrorFields) {
    const value: unknown = Reflect.get(error, field);
    if (typeof value === 'string' || typeof value === 'number') fields[field] = value;
  }
  if (stack !== undefined) fields['stack'] = truncate(stack);
  if (depth === maxDepth) return fields;
  if (cause !== undefined) fields['cause'] = toLoggable(cause, depth + 1);
  if (error instanceof AggregateError) fields['errors'] = itemsToLoggable(error.errors, depth);
  return fields;
}

function truncate(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}[${text.length - maxTextLength} more]`;
}

/** The source of signals: `process`. */
interface SignalSource {
  on(signal: 'SIGUSR2', listener: () => void): unknown;
  removeListener(signal: 'SIGUSR2', listener: () => void): unknown;
}

/**
 * Turns the level `debug` on at SIGUSR2, and off at the next one: `kill -USR2 1` in the container. (SIGUSR1 starts
 * Node's debugger.) The returned function ends that.
 */
export function toggleDebugOnSignal(log: JsonLog, signals: SignalSource = process): () => void {
  let quiet = log.level;
  const toggle = (): void => {
    if (log.level !== 'debug') quiet = log.level;
    log.level = log.level === 'debug' ? quiet : 'debug';
    log.warn('the level of the log has changed', { to: log.level });
  };
  signals.on('SIGUSR2', toggle);
  return () => void signals.removeListener('SIGUSR2', toggle);
}
