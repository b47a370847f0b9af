import { conditionOf, isConditionTrue, type apps, type Live } from '../../runtime.ts';

/** Why the condition `OperatorDegraded` is what it is. */
export type Reason =
  /** `False`: nginx runs as is declared. */
  | 'OperatorSucceeded'
  /** The NginxOperator itself is not one that can be worked with. */
  | 'OperatorResourceNotAvailable'
  /** The Deployment is not there, or too few of its pods are. */
  | 'OperandDeploymentNotAvailable'
  /** The Deployment cannot be made, or its pods cannot. */
  | 'OperandDeploymentFailed';

/** What is to be said of an NginxOperator. */
export interface Judgement {
  readonly reason: Reason;
  /** For people; empty where all is well. */
  readonly message: string;
}

type Deployment = Live<typeof apps.Deployment>;

/** What is the case with a Deployment that was made. */
export function judgementOf({ spec, status }: Deployment): Judgement {
  const { conditions } = status ?? {};
  const failure = conditionOf(conditions, 'ReplicaFailure');
  if (failure?.status === 'True') {
    return { reason: 'OperandDeploymentFailed', message: failure.message ?? 'no pod can be made' };
  }
  const progress = conditionOf(conditions, 'Progressing');
  if (progress?.status === 'False') {
    return {
      reason: 'OperandDeploymentFailed',
      message: progress.message ?? 'the rollout does not come to an end',
    };
  }
  const { availableReplicas = 0 } = status ?? {};
  const wanted = spec?.replicas ?? 1;
  // A rollout may miss some, which the condition takes into account.
  if (availableReplicas >= wanted || isConditionTrue(conditions, 'Available')) {
    return { reason: 'OperatorSucceeded', message: '' };
  }
  const message = `${availableReplicas} of ${wanted} pods are available`;
  return { reason: 'OperandDeploymentNotAvailable', message };
}

/** Whether pods are being replaced, and may still come to be ready. */
export function isRollingOut({ metadata, spec, status }: Deployment): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const { replicas: all = 0, conditions } = status ?? {};
  if (observedGeneration < (metadata.generation ?? 0)) return true;
  const isGivenUp =
    isConditionTrue(conditions, 'ReplicaFailure') ||
    conditionOf(conditions, 'Progressing')?.status === 'False';
  const wanted = spec?.replicas ?? 1;
  const isDone = updatedReplicas === wanted && availableReplicas === wanted && all === wanted;
  return !isDone && !isGivenUp;
}
