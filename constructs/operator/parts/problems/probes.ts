import type { Findings } from '../../../../kube/finding.ts';
import { formatList, show, type Path } from '../../../../kube/problem.ts';

/** The probes of a container. */
interface ProbeSpec {
  /** The name of one of the container's ports, or the number of a port that it gets. */
  readonly port?: string | number;
  readonly live?: string;
  readonly ready?: string;
}

/**
 * Reports errors in the probes at `at`. `names` are the ports of the container, and `whose`
 * describes them in messages.
 */
export function reportProbes(
  at: Path,
  probes: ProbeSpec,
  [whose, names]: readonly [whose: string, names: readonly string[]],
  findings: Findings,
): void {
  const { port } = probes;
  if (typeof port === 'string' && !names.includes(port)) {
    const known = names.length === 0 ? 'none is declared' : `one of ${formatList(names)}`;
    const message = `must be ${whose} (${known}), got ${show(port)}`;
    findings.addError([...at, 'port'], message, 'probe');
  }
  for (const which of ['live', 'ready'] as const) {
    const path = probes[which];
    if (path === undefined || path.startsWith('/')) continue;
    findings.addError([...at, which], `must be a path from '/' on, got ${show(path)}`, 'probe');
  }
}
