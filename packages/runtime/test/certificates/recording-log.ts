import type { Log, LogFields, LogLevel } from '../../log/log.ts';

/** A log whose lines a test can read. */
export class RecordingLog implements Log {
  readonly lines: { level: LogLevel; sentence: string; fields: LogFields }[] = [];

  sentences(level: LogLevel): string[] {
    return this.lines.filter((line) => line.level === level).map(({ sentence }) => sentence);
  }

  debug(sentence: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', sentence, fields });
  }

  info(sentence: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', sentence, fields });
  }

  warn(sentence: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', sentence, fields });
  }

  error(sentence: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', sentence, fields });
  }

  with(): Log {
    return this;
  }
}
