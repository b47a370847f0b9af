import { isDeepStrictEqual } from 'node:util';
import { conditionOf, ifGone, setCondition, type apps, type Live } from '../../runtime.ts';
import type { NginxContext } from './access.ts';
import type { Judgement, Reason } from './degraded.ts';
import { selectorOf } from './deployment.ts';
import type { NginxKind } from './kinds.ts';
import type { Operand } from './operand.ts';

/** The observed state of an NginxOperator. */
export interface Found {
  readonly kind: NginxKind;
  readonly operand: Operand;
  readonly judgement: Judgement;
  readonly deployment: Live<typeof apps.Deployment> | undefined;
}

/** Writes the status where it changed, and records an event where the reason changed. */
export async function say(
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
  const old = conditionOf(before, type)?.reason;
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
