import type { Client } from '../../runtime/client/client.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { CustomResourceDefinition } from '../../runtime/kinds/apiextensions.ts';
import type { PollResult } from './cluster-operation.ts';

/** Whether the API server serves a definition. Waiting is hopeless if its names belong to another one. */
export async function pollDefinition(client: Client, name: string): Promise<PollResult<true>> {
  const definition = await client.get(CustomResourceDefinition, { name }).catch(ifGone);
  // A new definition has null there.
  const conditions = definition?.status?.conditions ?? [];
  const isTrue = (type: string): boolean =>
    conditions.some((one) => one.type === type && one.status === 'True');
  if (isTrue('Established') && !isTrue('Terminating')) return { done: true };
  const refused = conditions.filter(
    ({ type, status }) =>
      (type === 'NamesAccepted' || type === 'NonStructuralSchema') &&
      status === (type === 'NamesAccepted' ? 'False' : 'True'),
  );
  return {
    waiting: refused.map(({ reason, message }) => message ?? reason ?? 'its names are refused'),
    isHopeless: refused.some(({ type }) => type === 'NamesAccepted'),
  };
}
