import type { Findings } from '../../../../kube/finding.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../../../kube/names.ts';
import { show } from '../../../../kube/problem.ts';
import { CONTAINER } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportEnvironment } from './environment.ts';
import { reportImage } from './names.ts';
import { reportProbes } from './probes.ts';
import { reportResources } from './resources.ts';

/** Reports errors in the sidecars. Their mounts and ports are validated together with those of all containers. */
export function reportSidecars({ sidecars = [] }: OperatorSpec, findings: Findings): void {
  const names = new Set([CONTAINER]);
  for (const [i, one] of sidecars.entries()) {
    const at = ['sidecars', i];
    const { name } = one;
    if (!isDnsLabel(name)) {
      findings.addError([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'sidecar');
    } else if (names.has(name)) {
      const message = `must be a name of its own, got ${show(name)} again`;
      findings.addError([...at, 'name'], message, 'sidecar');
    }
    names.add(name);
    reportImage([...at, 'image'], one.image, findings);
    reportEnvironment(at, one, findings);
    reportResources(at, one, findings);
    if (one.probes) {
      const ports = (one.ports ?? []).map((port) => port.name);
      reportProbes([...at, 'probes'], one.probes, ['a port of the sidecar', ports], findings);
    }
  }
}
