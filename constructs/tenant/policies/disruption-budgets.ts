import { FACTS } from '../ownership.ts';
import { celFact, celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/** Returns CEL for the whole number in an amount of pods, whether it is a percentage or not. */
const numberIn = (text: string): string =>
  `int(${text}.endsWith('%') ? ${text}.substring(0, size(${text}) - 1) : ${text})`;

const min = 'variables.min';
/** CEL that tests whether the budget needs all pods of the namespace; percentages are rounded up. */
const needsAll = `(${min}.endsWith('%') ? (${numberIn(min)} * variables.pods + 99) / 100 : ${numberIn(min)}) >= variables.pods`;

const labels = 'object.spec.?selector.?matchLabels.orValue({})';
const expressions = 'object.spec.?selector.?matchExpressions.orValue([])';
/** CEL that tests whether a pod has one of the values of a key, where `p` contains its labels as `key=value`. */
const hasOne = "e.?values.orValue([]).exists(v, e.key + '=' + v in p)";
const hasKey = "p.exists(l, l.startsWith(e.key + '='))";
/** CEL that tests whether the selector selects a pod with the labels `p`. */
const selects = `(${labels}.all(k, k + '=' + ${labels}[k] in p) && ${expressions}.all(e, e.operator == 'In' ? ${hasOne} : e.operator == 'NotIn' ? !(${hasOne}) : e.operator == 'Exists' ? ${hasKey} : !(${hasKey})))`;

/**
 * Bounds PodDisruptionBudgets that people create or change, as the field `disruptionBudgets` bounds declared ones: one
 * pod can always be evicted, otherwise a node could never be drained. With two budgets for a pod every eviction fails,
 * so people's budgets must not select pods that the platform declares.
 * Source: https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
export const disruptionBudgets: TenantUserPolicy = {
  concern: 'disruptionBudgets',
  rules: [
    {
      apiGroups: ['policy'],
      resources: ['poddisruptionbudgets'],
      operations: ['CREATE', 'UPDATE'],
    },
  ],
  variables: {
    min: "string(object.spec.?minAvailable.orValue(dyn('')))",
    max: "string(object.spec.?maxUnavailable.orValue(dyn('')))",
    pods: `${celFact(FACTS.pods)} == '' ? 0 : int(${celFact(FACTS.pods)})`,
    isClosed: `(variables.max != '' && ${numberIn('variables.max')} == 0) || (${min}.endsWith('%') && ${numberIn(min)} >= 100)`,
    declared: `${celFactLines(FACTS.podLabels)}.filter(line, [line.split(',')].exists(p, ${selects}))`,
  },
  validations: [
    {
      expression: '!variables.isClosed',
      message:
        "'a PodDisruptionBudget must let at least one pod be evicted, or no node can ever be drained, got ' + (variables.max == '' ? 'minAvailable ' + variables.min : 'maxUnavailable ' + variables.max)",
    },
    {
      expression: `${min} == '' || variables.pods == 0 || !(${needsAll})`,
      message: `'a PodDisruptionBudget must let a pod be evicted, or no node can be drained, got minAvailable ' + ${min} + ', where there are at most ' + string(variables.pods) + ' pods'`,
    },
    {
      expression: `size(${labels}) + size(${expressions}) > 0`,
      message:
        "'a PodDisruptionBudget must select some pods by label: an empty selector is for all of them'",
    },
    {
      expression: 'size(variables.declared) == 0',
      message:
        "'a PodDisruptionBudget must select no pods that the platform declares, got ' + variables.declared.join('; ') + ': declare it in Git, in disruptionBudgets of the tenant'",
    },
  ],
};
