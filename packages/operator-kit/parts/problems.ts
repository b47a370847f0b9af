import { Findings, type Finding } from '@tenantry/kube/finding';
import { reportAccess, reportKinds } from './problems/access.ts';
import { reportNames } from './problems/names.ts';
import { reportNetwork, reportWebhooks } from './problems/network.ts';
import { reportPod, reportSidecars } from './problems/pod.ts';
import { reportPorts } from './problems/ports.ts';
import { reportScheduling } from './problems/scheduling.ts';
import type { OperatorSpec } from './spec.ts';

/** All that is wrong with an operator as it is written down; paths are of the spec. */
export function validateOperatorSpec(spec: OperatorSpec): readonly Finding[] {
  const findings = new Findings();
  reportNames(spec, findings);
  reportKinds(spec, findings);
  reportAccess(spec, findings);
  reportPod(spec, findings);
  reportSidecars(spec, findings);
  reportScheduling(spec, findings);
  reportPorts(spec, findings);
  reportNetwork(spec, findings);
  reportWebhooks(spec, findings);
  return findings.errors;
}
