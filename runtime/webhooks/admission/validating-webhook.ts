import type { Kind } from '../../kinds/kind.ts';
import type { Webhook } from '../webhook.ts';
import { createAdmissionWebhook, type AdmissionWebhookProps } from './admission-webhook.ts';
import type { AdmissionRequest } from './request.ts';
import type { AdmissionVerdict } from './verdict.ts';

/** The options of a validating webhook. */
export interface ValidatingWebhookProps<K extends Kind> extends AdmissionWebhookProps<K> {
  /** Returns the verdict. The API server has validated the object against its schema before. */
  validate(request: AdmissionRequest<K>): AdmissionVerdict | Promise<AdmissionVerdict>;
}

/**
 * Declares a webhook that allows or refuses requests.
 *
 * @example
 * ```ts
 * import { admission, kindOf, validatingWebhook } from 'tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * const webhook = validatingWebhook({
 *   kind: kindOf(redis, 'v1'),
 *   validate: ({ object, user }) =>
 *     object && object.spec.replicas > 5 && !user.groups.includes('platform')
 *       ? admission.denied(`spec.replicas must be at most 5, got ${object.spec.replicas}`)
 *       : admission.allowed,
 * });
 * console.log(webhook.path); // /validate/redises.cache.example.com
 * ```
 */
export function validatingWebhook<K extends Kind>(props: ValidatingWebhookProps<K>): Webhook {
  return createAdmissionWebhook(
    'validate',
    props,
    async (request): Promise<{ verdict: AdmissionVerdict }> => ({
      verdict: await props.validate(request),
    }),
  );
}
