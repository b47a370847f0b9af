import type { Findings } from '../../../../kube/finding.ts';
import { listed, show, type Path } from '../../../../kube/problem.ts';

/** How the kubelet asks a container. */
interface Asked {
  /** By its name one of the container's; by a number one that it gets. */
  readonly port?: string | number;
  readonly live?: string;
  readonly ready?: string;
}

/** The probes of a container, at `at`: its ports are `names`, which `whose` says to people. */
export function reportProbes(
  at: Path,
  probes: Asked,
  [whose, names]: readonly [whose: string, names: readonly string[]],
  findings: Findings,
): void {
  const { port } = probes;
  if (typeof port === 'string' && !names.includes(port)) {
    const known = names.length === 0 ? 'none is declared' : `one of ${listed(names)}`;
    const message = `must be ${whose} (${known}), got ${show(port)}`;
    findings.error([...at, 'port'], message, 'probe');
  }
  for (const which of ['live', 'ready'] as const) {
    const path = probes[which];
    if (path === undefined || path.startsWith('/')) continue;
    findings.error([...at, which], `must be a path from '/' on, got ${show(path)}`, 'probe');
  }
}
