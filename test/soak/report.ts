import type { SoakResult } from './soak.ts';

/** Formats the result for people; the last line is the verdict. */
export function report(result: SoakResult): string {
  const { lag, memory, faults, problems, missed, lives, lostLeads } = result;
  const count = faults.values().reduce((sum, count) => sum + count, 0);
  const listed = [...faults]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `  ${String(count).padStart(5)} ${name}`);
  const { start, end } = memory;
  const wrong = missed + problems.length;
  return [
    '',
    `${count} faults:`,
    ...listed,
    '',
    `written     ${result.changes} changes, ${result.deletions} deletions`,
    `done        ${result.reconciles} reconciles, ${result.cleanUps} clean-ups`,
    `delivered   ${result.notificationCount} states`,
    `replicas    ${lives} lives, ${lostLeads} lost leads`,
    `lag         ${lag.p50} ms in the middle, ${lag.p99} ms at 99%, ${lag.most} ms at most`,
    `memory      heap ${start.heap} to ${end.heap} MiB, RSS ${start.rss} to ${end.rss} MiB`,
    `missed      ${missed}`,
    ...problems.map((problem) => `problem     ${problem}`),
    '',
    wrong === 0
      ? `seed ${result.seed}: nothing missed, nothing delivered twice, nothing left behind`
      : `seed ${result.seed}: ${missed} missed, ${problems.length} problems`,
  ].join('\n');
}
