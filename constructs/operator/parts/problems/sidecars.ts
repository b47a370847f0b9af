import type { Findings } from '../../../../kube/finding.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../../../kube/names.ts';
import { listed, show, type Path } from '../../../../kube/problem.ts';
import { CONTAINER } from '../names.ts';
import type { OperatorSidecar } from '../sidecar.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportEnvironment } from './environment.ts';
import { reportImage } from './names.ts';
import { reportResources } from './resources.ts';

/** What runs beside it; what they mount and listen at is asked of all containers at once. */
export function reportSidecars({ sidecars = [] }: OperatorSpec, findings: Findings): void {
  const names = new Set([CONTAINER]);
  for (const [i, one] of sidecars.entries()) {
    const at = ['sidecars', i];
    const { name } = one;
    if (!isDnsLabel(name)) {
      findings.error([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'sidecar');
    } else if (names.has(name)) {
      const message = `must be a name of its own, got ${show(name)} again`;
      findings.error([...at, 'name'], message, 'sidecar');
    }
    names.add(name);
    reportImage([...at, 'image'], one.image, findings);
    reportEnvironment(at, one, findings);
    reportResources(at, one, findings);
    reportProbes([...at, 'probes'], one, findings);
  }
}

function reportProbes(at: Path, { probes, ports = [] }: OperatorSidecar, findings: Findings): void {
  if (!probes) return;
  const names = ports.map(({ name }) => name);
  if (!names.includes(probes.port)) {
    const known = names.length === 0 ? 'none is declared' : `one of ${listed(names)}`;
    const message = `must be a port of the sidecar (${known}), got ${show(probes.port)}`;
    findings.error([...at, 'port'], message, 'probe');
  }
  for (const which of ['live', 'ready'] as const) {
    const path = probes[which];
    if (path === undefined || path.startsWith('/')) continue;
    findings.error([...at, which], `must be a path from '/' on, got ${show(path)}`, 'probe');
  }
}
