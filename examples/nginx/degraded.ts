import { conditionOf, isConditionTrue, type apps, type Live } from '../../runtime.ts';

/** The reason of the condition `OperatorDegraded`. */
export type Reason =
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
    conditionOf(conditions, 'Progressing')?.status === 'False';
  const wanted = spec?.replicas ?? 1;
  const isDone = updatedReplicas === wanted && availableReplicas === wanted && all === wanted;
  return !isDone && !isGivenUp;
}
