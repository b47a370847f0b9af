/**
 * Milliseconds that a processor was busy with this process while `work` ran. Unlike time on a clock they
 * stay nearly the same on a machine that does other work, so a bound on them tells work that grows without
 * one from a slow machine.
 */
export function busy(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
