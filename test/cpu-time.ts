/**
 * Returns the milliseconds of processor time that this process used for `work`. They vary little under load from other
 * processes, so a limit on them distinguishes unbounded work from a slow machine.
 */
export function measureCpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
