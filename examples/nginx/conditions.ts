import { isDeepStrictEqual } from 'node:util';
import {
  findCondition,
  isConditionTrue,
  ifGone,
  setCondition,
  type apps,
  type Live,
  type ConditionInput,
} from '@tenantry/runtime';
import type { NginxContext } from './context.ts';
import { selectorOf } from './deployment.ts';
import type { NginxKind } from './kinds.ts';
import type { Operand } from './operand.ts';

/** The reason of the condition `OperatorDegraded`. */
type Reason =
  /** `False`: nginx runs as declared. */
  | 'OperatorSucceeded'
  /** The NginxOperator itself is invalid. */
  | 'OperatorResourceNotAvailable'
  /** The Deployment does not exist, or too few of its pods are available. */
  | 'OperandDeploymentNotAvailable'
  /** The Deployment or its pods cannot be created. */
  | 'OperandDeploymentFailed';

/** The reason and the message for the condition of an NginxOperator. */
export interface Judgement {
  readonly reason: Reason;
  /** A message for users; empty where all is well. */
  readonly message: string;
}

type Deployment = Live<typeof apps.Deployment>;

/** Judges a Deployment by its status. */
export function judgementOf({ spec, status }: Deployment): Judgement {
  const { conditions } = status ?? {};
  const failure = findCondition(conditions, 'ReplicaFailure');
  if (failure?.status === 'True') {
    return { reason: 'OperandDeploymentFailed', message: failure.message ?? 'no pod can be made' };
  }
  const progress = findCondition(conditions, 'Progressing');
  if (progress?.status === 'False') {
    return {
      reason: 'OperandDeploymentFailed',
      message: progress.message ?? 'the rollout does not come to an end',
    };
  }
  const { availableReplicas = 0 } = status ?? {};
  const wanted = spec?.replicas ?? 1;
  // A rollout may lack some pods, which the condition `Available` allows.
  if (availableReplicas >= wanted || isConditionTrue(conditions, 'Available')) {
    return { reason: 'OperatorSucceeded', message: '' };
  }
  const message = `${availableReplicas} of ${wanted} pods are available`;
  return { reason: 'OperandDeploymentNotAvailable', message };
}

/** Whether pods are being replaced, and may still become ready. */
export function isRollingOut({ metadata, spec, status }: Deployment): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const { replicas: all = 0, conditions } = status ?? {};
  if (observedGeneration < (metadata.generation ?? 0)) return true;
  const isGivenUp =
    isConditionTrue(conditions, 'ReplicaFailure') ||
    findCondition(conditions, 'Progressing')?.status === 'False';
  const wanted = spec?.replicas ?? 1;
  const isDone = updatedReplicas === wanted && availableReplicas === wanted && all === wanted;
  return !isDone && !isGivenUp;
}

/** The observed state of an NginxOperator. */
export interface Found {
  readonly kind: NginxKind;
  readonly operand: Operand;
  readonly judgement: Judgement;
  readonly deployment: Live<typeof apps.Deployment> | undefined;
}

/** Writes the status where it changed, and records an event where the reason changed. */
export async function writeStatus(
  { object, client, clock, event }: NginxContext,
  { kind, operand, judgement: { reason, message }, deployment }: Found,
): Promise<void> {
  const { name, namespace, resourceVersion, generation } = object.metadata;
  const isWell = reason === 'OperatorSucceeded';
  const type = 'OperatorDegraded';
  const degraded = {
    type,
    status: isWell ? 'False' : 'True',
    observedGeneration: generation,
    reason,
    message,
  } as const;
  const before = object.status?.conditions;
  const status = {
    replicas: deployment?.status?.replicas ?? 0,
    selector: selectorOf(operand, name),
    conditions: setCondition(before, degraded, clock.date()),
  };
  if (isDeepStrictEqual(object.status, status)) return;
  // With the resource version, a patch that arrives late is refused.
  const patch = { metadata: { resourceVersion }, status };
  await client.patch(kind, { name, namespace }, patch, { subresource: 'status' }).catch(ifGone);
  const old = findCondition(before, type)?.reason;
  if (old === reason) return;
  if (isWell) event({ reason, note: 'nginx runs as is declared' });
  else if (isNews(reason, old)) event({ type: 'Warning', reason, note: message });
}

/**
 * Whether a reason is worth an event. Pods that are not yet available are not; pods that became
 * unavailable are.
 */
function isNews(reason: Reason, old: string | undefined): boolean {
  return reason !== 'OperandDeploymentNotAvailable' || old === 'OperatorSucceeded';
}

/** The most names in the message; it counts the others. */
const mostNamed = 3;

/**
 * Reports whether OLM may replace the operator. It may not while pods are being replaced, as the next
 * release would find a rollout half done. A rollout that cannot finish does not block it, as the next
 * release may be the fix.
 */
export class Upgradeable {
  readonly #report: (condition: ConditionInput) => void;
  #rolling: Set<string> | undefined;

  constructor(report: (condition: ConditionInput) => void) {
    this.#report = report;
  }

  /**
   * @param all lists all NginxOperators whose pods are being replaced. It is called once; later, each
   * call of `look` reports one.
   */
  look(name: string, isRollingOut: boolean, all: () => Iterable<string>): void {
    this.#rolling ??= new Set(all());
    if (isRollingOut) this.#rolling.add(name);
    else this.#rolling.delete(name);
    this.#report(upgradeableOf([...this.#rolling]));
  }

  gone(name: string): void {
    if (this.#rolling?.delete(name)) this.#report(upgradeableOf([...this.#rolling]));
  }
}

function upgradeableOf(rolling: readonly string[]): ConditionInput {
  const type = 'Upgradeable';
  if (rolling.length === 0) return { type, status: 'True', reason: 'RolledOut', message: '' };
  const named = rolling.toSorted().slice(0, mostNamed).join(', ');
  const more = rolling.length - mostNamed;
  const message = `pods are being replaced of ${named}${more > 0 ? ` and ${more} more` : ''}`;
  return { type, status: 'False', reason: 'RollingOut', message };
}
