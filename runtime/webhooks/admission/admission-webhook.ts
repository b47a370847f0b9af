import { resourceOf, type Kind } from '../../kinds/kind.ts';
import type { JsonPatchOperation } from '../json-patch.ts';
import { stringifyJson } from '../../connection/json.ts';
import { formatFailure, TimedOut, type Webhook, type WebhookCall } from '../webhook.ts';
import {
  readRequest,
  buildAdmissionRequest,
  type AdmissionRequest,
  type ResponseExtras,
  type ReadRequest,
} from './request.ts';
import { denied, type AdmissionVerdict } from './verdict.ts';

/** The options of every admission webhook. */
export interface AdmissionWebhookProps<K extends Kind> {
  /** The kind in the rules of the configuration; requests for another one are refused (400). */
  readonly kind: K;
  /** 'status'. @default - the object itself */
  readonly subresource?: string | undefined;
  /** @default - /validate/<plural>.<group>, or /mutate/... for a mutating webhook */
  readonly path?: string | undefined;
  /** The most bytes of a review, which may contain two objects of 3 MiB. @default 8 MiB */
  readonly maxBytes?: number | undefined;
}

/** The decision of a webhook. A patch requires that it allows the request. */
export interface Decision {
  readonly verdict: AdmissionVerdict;
  readonly patch?: readonly JsonPatchOperation[] | undefined;
}

/** Decides about a request. */
export type Decide<K extends Kind> = (
  request: AdmissionRequest<K>,
  read: ReadRequest,
) => Promise<Decision>;

/**
 * Creates a webhook for AdmissionReview (admission.k8s.io/v1; `admissionReviewVersions` of the configuration must
 * contain `v1`). A decision that throws, or takes longer than the API server waits, becomes a refusal, whose cause is
 * logged.
 */
export function createAdmissionWebhook<K extends Kind>(
  verb: 'validate' | 'mutate',
  { kind, subresource, path, maxBytes = 8 * 1024 * 1024 }: AdmissionWebhookProps<K>,
  decide: Decide<K>,
): Webhook {
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return {
    path: path ?? `/${verb}/${resourceOf(kind)}${suffix}`,
    maxBytes,
    answer: async (review, call) => {
      const read = readRequest(review, kind, subresource);
      const asides: ResponseExtras = { warnings: [], auditAnnotations: {} };
      const decision = await runDecision(decide, read, asides, call);
      return buildReview(read.uid, decision, asides);
    },
  };
}

async function runDecision<K extends Kind>(
  decide: Decide<K>,
  read: ReadRequest,
  asides: ResponseExtras,
  call: WebhookCall,
): Promise<Decision> {
  const { uid } = read;
  const { signal, log } = call;
  const request = buildAdmissionRequest<K>(read, asides, call);
  const decision = (async () => decide(request, read))();
  const over = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true, signal: over.signal });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([decision, ended]);
  } catch (error) {
    log.error('an admission webhook failed', { uid, error });
    // A later error is logged too, and does not end the process.
    if (signal.aborted) void decision.catch((late) => log.error('it failed later', { uid, late }));
    const isLate = error instanceof TimedOut;
    const message = isLate ? error.message : formatFailure(uid);
    const how = isLate ? { code: 504, reason: 'Timeout' } : { code: 500, reason: 'InternalError' };
    return { verdict: denied(message, how) };
  } finally {
    over.abort();
  }
}

function buildReview(
  uid: string,
  { verdict, patch = [] }: Decision,
  { warnings, auditAnnotations }: ResponseExtras,
): object {
  const status = (): object => {
    if (verdict.allowed) return {};
    const { message, code, reason } = verdict;
    return { status: { status: 'Failure', message, code, reason } };
  };
  const isPatched = verdict.allowed && patch.length > 0;
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: verdict.allowed,
      ...status(),
      ...(isPatched && {
        patchType: 'JSONPatch',
        patch: Buffer.from(stringifyJson(patch)).toString('base64'),
      }),
      ...(warnings.length > 0 && { warnings }),
      ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
    },
  };
}
