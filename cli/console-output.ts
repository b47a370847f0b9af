import { styleText } from 'node:util';
import { escapeJsonForTerminal } from '@tenantry/kube/printable';
import { formatProblemAndRule, type Problem } from '@tenantry/kube/problem';
import type { Size } from '../apps/size.ts';

type Style = Parameters<typeof styleText>[0];

/** Colors a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** Returns the text unchanged, for output that is never colored. */
export const paintNothing: Paint = (_, text) => text;

export function paintIf(enabled: boolean): Paint {
  return (style, text) => (enabled ? styleText(style, text, { validateStream: false }) : text);
}

/** `1 file`, `2,000 files`. */
export function count(number: number, noun: string): string {
  const plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `2 tenants, 5 namespaces, 60 objects`. */
export function sizeWords({ tenants, namespaces, objects }: Size): string {
  return [count(tenants, 'tenant'), count(namespaces, 'namespace'), count(objects, 'object')].join(
    ', ',
  );
}

/** Formats `12,345`. Loading Intl would take 20 ms. */
export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns the beginning of a list, and the number of further entries. */
export function truncateList(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `and ${formatNumber(lines.length - most)} more`];
}

/** Formats errors, each with its rule, so that users find its documentation. */
export function problemLines(problems: readonly Problem[], paint: Paint): string[] {
  return findingLines(paint('red', 'error'), problems, paint);
}

/** Formats warnings, each with its rule. */
export function warningLines(warnings: readonly Problem[], paint: Paint): string[] {
  return findingLines(paint('yellow', 'warning'), warnings, paint);
}

function findingLines(word: string, found: readonly Problem[], paint: Paint): string[] {
  const paintRule = (rule: string): string => paint('dim', rule);
  return found.map((problem) => `${word} ${formatProblemAndRule(problem, paintRule)}`);
}

/** Seconds since the process started. */
export function elapsed(): number {
  return Math.round(performance.now()) / 1000;
}

/** Prints the result of a command as JSON on stdout. */
export function printJson(command: string, report: object): void {
  const json = JSON.stringify({ command, ...report, seconds: elapsed() }, undefined, 2);
  console.log(escapeJsonForTerminal(json));
}

/** Prints problems and the resulting state to stderr. */
export function printProblems(problems: readonly Problem[], state: string, paint: Paint): void {
  for (const line of problemLines(problems, paint)) console.error(line);
  console.error(`\n${count(problems.length, 'problem')}; ${state}`);
}

/**
 * Formats the age of a time in its largest useful unit: `45s`, `12m`, `5h`, `3d`. A time in the
 * future, from a clock that is ahead, counts as now.
 */
export function formatAge(time: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
