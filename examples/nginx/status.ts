import { isDeepStrictEqual } from 'node:util';
import { conditionOf, ifGone, setCondition, type apps, type Live } from '../../runtime.ts';
import type { NginxContext } from './access.ts';
import type { Judgement, Reason } from './degraded.ts';
import { selectorOf } from './deployment.ts';
import type { NginxKind } from './kinds.ts';
import type { Operand } from './operand.ts';

/** What is found out of an NginxOperator. */
export interface Found {
  readonly kind: NginxKind;
  readonly operand: Operand;
  readonly judgement: Judgement;
  readonly deployment: Live<typeof apps.Deployment> | undefined;
}

/** Writes the status where it is another one, and tells people when it is so for another reason than before. */
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
  // Of this very state: what was sent long ago, and comes late, is no news.
  const patch = { metadata: { resourceVersion }, status };
  await client.patch(kind, { name, namespace }, patch, { subresource: 'status' }).catch(ifGone);
  const old = conditionOf(before, type)?.reason;
  if (old === reason) return;
  if (isWell) event({ reason, note: 'nginx runs as is declared' });
  else if (isNews(reason, old)) event({ type: 'Warning', reason, note: message });
}

/** Pods that are not there yet are no reason to look: those that were there are. */
function isNews(reason: Reason, old: string | undefined): boolean {
  return reason !== 'OperandDeploymentNotAvailable' || old === 'OperatorSucceeded';
}
