import type {
  Affinity,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from '../../../../kube/api/core.ts';
import type { Findings } from '../../../../kube/finding.ts';
import type { Immutable } from '../../../../kube/immutable.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../../../kube/names.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { reportKey, reportRequirement, reportSelector } from './selector.ts';

/** Near what pods run, and far from what. */
export function reportAffinity(affinity: Immutable<Affinity>, findings: Findings): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) reportNodes(nodeAffinity, findings);
  for (const [field, pods] of Object.entries({ podAffinity, podAntiAffinity })) {
    if (pods) reportPods(['affinity', field], pods, findings);
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function reportNodes(nodes: Immutable<NodeAffinity>, findings: Findings): void {
  const at = ['affinity', 'nodeAffinity'];
  const terms = nodes[REQUIRED]?.nodeSelectorTerms;
  const path = [...at, REQUIRED, 'nodeSelectorTerms'];
  if (nodes[REQUIRED] && !terms?.length) {
    findings.addError(path, 'must have a term, got none: no node would do', 'scheduling');
  }
  for (const [i, term] of (terms ?? []).entries()) reportTerm([...path, i], term, findings);
  for (const [i, { weight, preference }] of (nodes[PREFERRED] ?? []).entries()) {
    reportWeight([...at, PREFERRED, i, 'weight'], weight, findings);
    reportTerm([...at, PREFERRED, i, 'preference'], preference, findings);
  }
}

function reportTerm(at: Path, term: Immutable<NodeSelectorTerm> = {}, findings: Findings): void {
  const { matchExpressions = [], matchFields = [] } = term;
  for (const [i, one] of matchExpressions.entries()) {
    reportRequirement([...at, 'matchExpressions', i], one, findings, 'Gt', 'Lt');
  }
  for (const [i, { key, operator, values = [] }] of matchFields.entries()) {
    const isName = key === 'metadata.name' && ['In', 'NotIn'].includes(operator);
    if (isName && values.length === 1) continue;
    const message = `must be the name of a node: metadata.name, In or NotIn, and one value, got ${show({ key, operator, values })}`;
    findings.addError([...at, 'matchFields', i], message, 'scheduling');
  }
}

function reportPods(at: Path, pods: Immutable<PodAffinity>, findings: Findings): void {
  for (const [i, term] of (pods[REQUIRED] ?? []).entries()) {
    reportPodTerm([...at, REQUIRED, i], term, findings);
  }
  for (const [i, { weight, podAffinityTerm }] of (pods[PREFERRED] ?? []).entries()) {
    reportWeight([...at, PREFERRED, i, 'weight'], weight, findings);
    reportPodTerm([...at, PREFERRED, i, 'podAffinityTerm'], podAffinityTerm, findings);
  }
}

function reportPodTerm(
  at: Path,
  term: Immutable<Partial<PodAffinityTerm>> = {},
  findings: Findings,
): void {
  const { topologyKey, labelSelector, namespaceSelector, namespaces = [] } = term;
  reportKey([...at, 'topologyKey'], topologyKey, findings);
  for (const [field, selector] of Object.entries({ labelSelector, namespaceSelector })) {
    if (selector) reportSelector([...at, field], selector, findings);
  }
  for (const [i, name] of namespaces.entries()) {
    if (isDnsLabel(name)) continue;
    findings.addError(
      [...at, 'namespaces', i],
      `must be ${A_DNS_LABEL}, got ${show(name)}`,
      'scheduling',
    );
  }
}

function reportWeight(path: Path, weight: number, findings: Findings): void {
  if (Number.isInteger(weight) && weight >= 1 && weight <= 100) return;
  findings.addError(
    path,
    `must be a whole number from 1 to 100, got ${show(weight)}`,
    'scheduling',
  );
}
