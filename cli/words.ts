import { styleText } from 'node:util';
import { escapeJsonForTerminal } from '../kube/printable.ts';
import { formatProblem, type Problem } from '../kube/problem.ts';
import type { Size } from '../apps/size.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it. */
export type Paint = (style: Style, text: string) => string;

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

/** `12,345`. Intl would take 20 ms to say so. */
export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** The beginning of a list, and how many more there are. */
export function truncateList(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `and ${formatNumber(lines.length - most)} more`];
}

export function problemLines(problems: readonly Problem[], paint: Paint): string[] {
  return problems.map((problem) => `${paint('red', 'error')} ${formatProblem(problem)}`);
}

export function warningLines(warnings: readonly Problem[], paint: Paint): string[] {
  return warnings.map((warning) => `${paint('yellow', 'warning')} ${formatProblem(warning)}`);
}

/** The problem with its rule after the message, so that its documentation can be found. */
export function appendRule(problem: Problem): Problem {
  return { ...problem, message: `${problem.message} (${problem.rule})` };
}

/** Seconds since the process began. */
export function elapsed(): number {
  return Math.round(performance.now()) / 1000;
}

/** What a command did, as JSON on stdout. */
export function printJson(command: string, report: object): void {
  const json = JSON.stringify({ command, ...report, seconds: elapsed() }, undefined, 2);
  console.log(escapeJsonForTerminal(json));
}

/** Problems on stderr, and what became of things; without colours, `paint` leaves texts alone. */
export function printProblems(problems: readonly Problem[], state: string, paint: Paint): void {
  for (const line of problemLines(problems, paint)) console.error(line);
  console.error(`\n${count(problems.length, 'problem')}; ${state}`);
}
