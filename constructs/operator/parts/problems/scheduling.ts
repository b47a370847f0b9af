import type { Toleration, TopologySpreadConstraint } from '../../../../kube/api/core.ts';
import type { Findings } from '../../../../kube/finding.ts';
import type { Immutable } from '../../../../kube/immutable.ts';
import {
  A_LABEL_VALUE,
  A_QUALIFIED_NAME,
  isLabelValue,
  isQualifiedName,
} from '../../../../kube/names.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { builtinSchema } from '../../../../schema/builtin-object.ts';
import { compileSchema } from '../../../../schema/validator.ts';
import { OS, OS_LABEL } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportAffinity } from './affinity.ts';
import { reportKey, reportSelector, reportWord } from './selector.ts';

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
