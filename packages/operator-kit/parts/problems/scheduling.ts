import type {
  Toleration,
  TopologySpreadConstraint,
  Affinity,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from '@tenantry/kube/api/core';
import type { Findings } from '@tenantry/kube/finding';
import type { Immutable } from '@tenantry/kube/immutable';
import {
  A_LABEL_VALUE,
  A_QUALIFIED_NAME,
  isLabelValue,
  isQualifiedName,
  A_DNS_LABEL,
  isDnsLabel,
} from '@tenantry/kube/names';
import { show, type Path } from '@tenantry/kube/problem';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { OS, OS_LABEL } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportKey, reportSelector, reportWord, reportRequirement } from './selector.ts';

/**
 * Reports errors in the scheduling of pods.
 *
 * Source: Kubernetes 1.36, pkg/apis/core/validation: validateTolerations,
 * validateTopologySpreadConstraints, validateAffinity
 */
export function reportScheduling(spec: OperatorSpec, findings: Findings): void {
  reportNodeSelector(spec, findings);
  const { tolerations = [], affinity, topologySpreadConstraints: spread = [] } = spec;
  if (isOfType('[]Toleration', ['tolerations'], tolerations, findings)) {
    for (const [i, one] of tolerations.entries())
      reportToleration(['tolerations', i], one, findings);
  }
  if (affinity && isOfType('Affinity', ['affinity'], affinity, findings)) {
    reportAffinity(affinity, findings);
  }
  if (isOfType('[]TopologySpreadConstraint', ['topologySpreadConstraints'], spread, findings)) {
    reportSpread(spread, findings);
  }
}

/** Returns whether the API server can read the value, and reports it if not. */
function isOfType(type: string, at: Path, value: unknown, findings: Findings): boolean {
  const { errors } = compileSchema(builtinSchema(type)).check(value);
  for (const { path, message } of errors)
    findings.addError([...at, ...path], message, 'scheduling');
  return errors.length === 0;
}

function reportNodeSelector({ nodeSelector = {} }: OperatorSpec, findings: Findings): void {
  for (const [key, value] of Object.entries(nodeSelector)) {
    const path = ['nodeSelector', key];
    if (!isQualifiedName(key)) {
      findings.addError(path, `must have ${A_QUALIFIED_NAME} as its key`, 'scheduling');
    } else if (key === OS_LABEL && value !== OS) {
      findings.addError(
        path,
        `must be ${show(OS)}, or be left out, got ${show(value)}`,
        'scheduling',
      );
    } else if (!isLabelValue(value)) {
      findings.addError(path, `must be ${A_LABEL_VALUE}, got ${show(value)}`, 'scheduling');
    }
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function reportToleration(at: Path, one: Immutable<Toleration>, findings: Findings): void {
  const { key = '', operator = 'Equal', value = '', effect, tolerationSeconds } = one;
  if (key !== '') reportKey([...at, 'key'], key, findings);
  else if (operator !== 'Exists') {
    const message = `must be 'Exists' without a key, which tolerates every taint, got ${show(operator)}`;
    findings.addError([...at, 'operator'], message, 'scheduling');
  }
  reportWord([...at, 'operator'], operator, ['Equal', 'Exists'], findings);
  if (operator === 'Exists' && value !== '') {
    const message = `must be left out where the operator is 'Exists', got ${show(value)}`;
    findings.addError([...at, 'value'], message, 'scheduling');
  } else if (!isLabelValue(value)) {
    findings.addError(
      [...at, 'value'],
      `must be ${A_LABEL_VALUE}, got ${show(value)}`,
      'scheduling',
    );
  }
  if (effect !== undefined) reportWord([...at, 'effect'], effect, EFFECTS, findings);
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const message = `must be 'NoExecute' if tolerationSeconds is set, got ${show(effect)}`;
    findings.addError([...at, 'effect'], message, 'scheduling');
  }
}

type Constraint = Immutable<TopologySpreadConstraint>;

function reportSpread(all: readonly Constraint[], findings: Findings): void {
  const known = new Set<string>();
  for (const [i, one] of all.entries()) {
    const at = ['topologySpreadConstraints', i];
    reportConstraint(at, one, findings);
    const pair = JSON.stringify([one.topologyKey, one.whenUnsatisfiable]);
    if (known.has(pair)) {
      const message = `must be unique for its whenUnsatisfiable, got ${show(one.topologyKey)} again`;
      findings.addError([...at, 'topologyKey'], message, 'scheduling');
    }
    known.add(pair);
  }
}

function reportConstraint(at: Path, one: Constraint, findings: Findings): void {
  const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, labelSelector } = one;
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = one;
  reportKey([...at, 'topologyKey'], topologyKey, findings);
  reportCount([...at, 'maxSkew'], maxSkew, findings);
  reportWord(
    [...at, 'whenUnsatisfiable'],
    whenUnsatisfiable,
    ['DoNotSchedule', 'ScheduleAnyway'],
    findings,
  );
  for (const [field, word] of Object.entries({ nodeAffinityPolicy, nodeTaintsPolicy })) {
    reportWord([...at, field], word, ['Honor', 'Ignore'], findings);
  }
  if (minDomains !== undefined) {
    reportCount([...at, 'minDomains'], minDomains, findings);
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      const message = `must be 'DoNotSchedule' if minDomains is set, got ${show(whenUnsatisfiable)}`;
      findings.addError([...at, 'whenUnsatisfiable'], message, 'scheduling');
    }
  }
  if (labelSelector) reportSelector([...at, 'labelSelector'], labelSelector, findings);
}

function reportCount(path: Path, count: number, findings: Findings): void {
  if (Number.isInteger(count) && count > 0) return;
  findings.addError(path, `must be a whole number of at least 1, got ${show(count)}`, 'scheduling');
}

/** Near what pods run, and far from what. */
function reportAffinity(affinity: Immutable<Affinity>, findings: Findings): void {
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
