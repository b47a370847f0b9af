import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { type Webhook, Refused } from '../../../webhooks/webhook.ts';
import { define } from '@tenantry/crd/define';
import { kindOf } from '../../../kinds/kind.ts';
import { integer, object, required, string } from '@tenantry/crd/schema/language';
import { RecordingLog } from '../../certificates/recording-log.ts';

export const boxes = define({
  group: 'example.com',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A box.', {
        spec: required(object('', { width: required(integer('')), colour: string('') })),
      }),
      storage: true,
    },
  },
});

export const boxKind = kindOf(boxes, 'v1');

export const box = (spec: object, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name: 'small', namespace: 'shop', ...metadata },
  spec,
});

/** Builds a review as an API server sends it. */
export function review(request: object): object {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      kind: { group: 'example.com', version: 'v1', kind: 'Box' },
      resource: { group: 'example.com', version: 'v1', resource: 'boxes' },
      name: 'small',
      namespace: 'shop',
      operation: 'CREATE',
      userInfo: { username: 'alice', groups: ['a'] },
      object: null,
      oldObject: null,
      dryRun: false,
      options: {},
      ...request,
    },
  };
}

export interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: object;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: object;
}

/** Returns the response of a webhook, or its refusal as text. */
export async function ask(
  webhook: Webhook,
  given: unknown,
  { log = new RecordingLog(), signal = new AbortController().signal } = {},
): Promise<Response | string> {
  try {
    const answer = await webhook.answer(given, { clock: new VirtualClock(), log, signal });
    const { apiVersion, kind, response } = answer as Record<string, unknown>;
    if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') return 'no review';
    return response as Response;
  } catch (error) {
    if (error instanceof Refused) return `${error.status} ${error.message}`;
    throw error;
  }
}
