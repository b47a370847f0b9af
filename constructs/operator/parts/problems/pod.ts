import type { Findings } from '../../../../kube/finding.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { resolvePod } from '../filled.ts';
import { WATCHED } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { watchedNamespaces } from '../watch.ts';
import { reportEnvironment } from './environment.ts';
import { reportFiles } from './files.ts';
import { reportObjectName } from './name-of-object.ts';
import { reportResources } from './resources.ts';

/** Reports errors in what the pods run, and in the number of replicas. */
export function reportPod(spec: OperatorSpec, findings: Findings): void {
  reportReplicas(spec, findings);
  reportResources([], spec, findings);
  reportEnvironment([], spec, findings);
  if (WATCHED in (spec.environment ?? {}) && watchedNamespaces(spec)) {
    const message = 'must be left out: watch sets it';
    findings.addError(['environment', WATCHED], message, 'environment');
  }
  reportFiles(spec, findings);
  reportPullSecrets(spec, findings);
  if (spec.priorityClass !== undefined) {
    reportObjectName(['priorityClass'], spec.priorityClass, findings);
  }
  const { gracePeriod, probes = {} } = spec;
  reportSeconds(['gracePeriod'], gracePeriod, findings);
  if (probes !== false) reportSeconds(['probes', 'startup'], probes.startup, findings);
}

/** Reports duplicate names: server-side apply identifies entries by name. */
function reportPullSecrets({ imagePullSecrets = [] }: OperatorSpec, findings: Findings): void {
  for (const [i, name] of imagePullSecrets.entries()) {
    const path = ['imagePullSecrets', i];
    reportObjectName(path, name, findings);
    if (imagePullSecrets.indexOf(name) === i) continue;
    findings.addError(path, `must be a name of its own, got ${show(name)} again`, 'pod');
  }
}

function reportSeconds(path: Path, seconds: number | undefined, findings: Findings): void {
  if (seconds === undefined || (Number.isInteger(seconds) && seconds > 0)) return;
  const message = `must be a whole number of seconds of at least 1, got ${show(seconds)}`;
  findings.addError(path, message, 'pod');
}

function reportReplicas(spec: OperatorSpec, findings: Findings): void {
  const { replicas, election } = resolvePod(spec);
  if (!Number.isInteger(replicas) || replicas < 0) {
    const message = `must be a whole number of at least 0, got ${show(replicas)}`;
    findings.addError(['replicas'], message, 'pod');
  } else if (election === 'None' && replicas > 1) {
    const message = `must be at most 1 without a leader election, got ${replicas}: all of them would do the same work`;
    findings.addError(['replicas'], message, 'pod');
  }
}
