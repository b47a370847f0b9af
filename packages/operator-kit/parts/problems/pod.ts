import type { Findings } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import { resolvePod } from '../resolved-pod.ts';
import { WATCHED, CONTAINER } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { watchedNamespaces } from '../rights.ts';
import { reportEnvironment, reportFiles, reportObjectName } from './environment-and-files.ts';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { reportImage } from './names.ts';
import { reportProbes } from './ports.ts';
import { parseQuantity } from '@tenantry/kube/quantity';

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

/** Reports errors in the requests and limits of the container at `at`. */
function reportResources(
  at: Path,
  { resources = {} }: Pick<OperatorSpec, 'resources'>,
  findings: Findings,
): void {
  for (const name of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const [request, limit] = (['requests', 'limits'] as const).map((part) => {
      const text = resources[part]?.[name];
      const amount = text === undefined ? undefined : parseQuantity(text);
      if (text !== undefined && (amount === undefined || amount < 0n)) {
        const message = `must be a quantity such as '500m' or '128Mi', got ${show(text)}`;
        findings.addError([...at, 'resources', part, name], message, 'resources');
      }
      return amount;
    });
    if (request === undefined || limit === undefined || request <= limit) continue;
    const message = `must be at least what is requested (${resources.requests?.[name]}), got ${show(resources.limits?.[name])}`;
    findings.addError([...at, 'resources', 'limits', name], message, 'resources');
  }
}
