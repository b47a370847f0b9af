import type { Changes } from '../synth/output/changes.ts';
import { beginning, count, type Paint } from './words.ts';

/** Files as JSON tells them. */
export function filesOf({ added, changed, removed, unchanged, foreign, interrupted }: Changes) {
  return { added, changed, removed, unchanged, foreign, interrupted };
}

/** The files that were written and removed. */
export function newsLines({ added, changed, removed }: Changes, paint: Paint): string[] {
  return [
    ...added.map((path) => `${paint('green', '+')} ${path}`),
    ...changed.map((path) => `${paint('yellow', '~')} ${path}`),
    ...removed.map((path) => `${paint('red', '-')} ${path}`),
  ];
}

export interface Staleness {
  readonly out: string;
  /** `what is declared`. */
  readonly must: string;
  /** What completes a write that was interrupted. */
  readonly completed?: string;
  readonly paint: Paint;
}

/** The files that are not as they must be. */
export function staleLines(changes: Changes, told: Staleness): string[] {
  const { out, must, completed, paint } = told;
  const files = [
    ...changes.added.map((path) => `missing  ${out}/${path}`),
    ...changes.changed.map((path) => `differs  ${out}/${path}`),
    ...changes.removed.map((path) => `left over  ${out}/${path}`),
    ...changes.foreign.map((path) => `not ours, and in the way  ${out}/${path}`),
  ];
  const interrupted = `  a write of it was interrupted${completed ? `: ${completed}` : ''}`;
  return [
    `${paint('red', 'error')} ${out} must be ${must}, got ${count(files.length, 'file')} that ${files.length === 1 ? 'is' : 'are'} not:`,
    ...beginning(files, 50).map((line) => `  ${line}`),
    ...(changes.interrupted ? [interrupted] : []),
  ];
}
