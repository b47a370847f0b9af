import { TERMINATION_SECONDS } from '../../crds/self-service.ts';
import { ALWAYS_TOLERATED } from '../classes/allowances.ts';
import { FACTS } from '../ownership.ts';
import { celList, celFact, celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/**
 * The controllers that create the pods of DaemonSets, with their own credentials or with those of the controller
 * manager.
 */
const daemonMakers = [
  'system:serviceaccount:kube-system:daemon-set-controller',
  'system:kube-controller-manager',
];
/**
 * Taints that the DaemonSet controller lets each of its pods tolerate.
 * Source: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations
 */
const daemonTolerated = [
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/network-unavailable',
];

const key = "t.?key.orValue('')";
/**
 * CEL that tests whether the class allows a toleration `t`. `variables.opened` has its entries split at `=`: a key or a
 * prefix of one, and a value if there is one.
 */
const isOpened = `variables.opened.exists(w, (w[0] == ${key} || (w[0].endsWith('*') && ${key}.startsWith(w[0].substring(0, size(w[0]) - 1)))) && (size(w) == 1 || (t.?operator.orValue('Equal') == 'Equal' && t.?value.orValue('') == w[1])))`;
const isAllowed = `(${key} in ${celList(ALWAYS_TOLERATED)} || (variables.isDaemon && ${key} in ${celList(daemonTolerated)}) || ${isOpened})`;
const most = `(${celFact(FACTS.terminationSeconds)} == '' ? ${TERMINATION_SECONDS} : int(${celFact(FACTS.terminationSeconds)}))`;

/**
 * Bounds where a pod runs and how long it stays there, because that affects others. A pod with `nodeName` is on that
 * node without scheduling, past taints, affinity and capacity. A pod that tolerates a taint runs on nodes that are
 * reserved for others or for the control plane. A long grace period keeps a node from being drained.
 *
 * The policy checks the pod itself, and so the pods of Kubernetes' controllers too. A template of a Deployment or of an
 * unknown kind therefore cannot get around it. Tolerations can be added to a pending pod. Kubelets, which create
 * mirrors of static pods, are exempt.
 * Source: https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export const pods: TenantUserPolicy = {
  concern: 'pods',
  rules: [{ apiGroups: [''], resources: ['pods'], operations: ['CREATE', 'UPDATE'] }],
  exemptsControllers: false,
  variables: {
    opened: `${celFactLines(FACTS.tolerations)}.map(l, l.split('='))`,
    isDaemon: `request.userInfo.username in ${celList(daemonMakers)} && object.metadata.?ownerReferences.orValue([]).exists(o, o.kind == 'DaemonSet' && o.?controller.orValue(false))`,
    before: "request.operation == 'CREATE' ? [] : oldObject.spec.?tolerations.orValue([])",
    tolerated: `object.spec.?tolerations.orValue([]).filter(t, !(t in variables.before) && !${isAllowed}).map(t, (${key} == '' ? '*' : ${key}) + (t.?value.orValue('') == '' ? '' : '=' + t.value))`,
    seconds: 'object.spec.?terminationGracePeriodSeconds.orValue(30)',
  },
  validations: [
    {
      expression: "request.operation != 'CREATE' || object.spec.?nodeName.orValue('') == ''",
      message:
        "'a pod must have no nodeName, got ' + object.spec.nodeName + ': the scheduler chooses the node (nodeSelector and affinity guide it)'",
    },
    {
      expression: 'size(variables.tolerated) == 0',
      message: `'a pod must tolerate only taints that its class opens (' + (size(variables.opened) == 0 ? 'none' : ${celFactLines(FACTS.tolerations)}.join(', ')) + '), got ' + variables.tolerated.join(', ')`,
    },
    {
      expression: `request.operation != 'CREATE' || variables.seconds <= ${most}`,
      message: `'a pod must have a terminationGracePeriodSeconds of at most ' + string(${most}) + ', got ' + string(variables.seconds)`,
    },
  ],
};

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
