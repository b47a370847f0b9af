import { convertReview, type Conversions } from '@tenantry/crd/conversion';
import type { Schemas } from '@tenantry/crd/definition';
import { isMapping } from '@tenantry/kube/mapping';
import { InvalidInput } from '@tenantry/kube/problem';
import { TimeSlice } from '../clock/pacing.ts';
import { formatFailure, Refused, TimedOut, type Webhook, type WebhookCall } from './webhook.ts';

/** The options of a conversion webhook. */
export interface ConversionWebhookProps {
  /** @default - /convert/<plural>.<group> */
  readonly path?: string | undefined;
  /** The most bytes of a review: the API server may send a whole list at once. @default 128 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * Declares the webhook that converts the objects of a definition (ConversionReview, apiextensions.k8s.io/v1;
 * `conversionReviewVersions` of the definition must be `['v1']`). Either all objects of a review are converted, or
 * none, with the cause in the message. Long lists are converted in slices, so that leases are renewed and probes
 * answered meanwhile.
 *
 * @example
 * ```ts
 * import { conversionWebhook } from '@tenantry/runtime';
 * import { boxConversions } from './box.ts';
 *
 * console.log(conversionWebhook(boxConversions).path); // /convert/boxes.example.com
 * ```
 */
export function conversionWebhook<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  { path, maxBytes = 128 * 1024 * 1024 }: ConversionWebhookProps = {},
): Webhook {
  const { plural, group } = conversions.definition;
  return {
    path: path ?? `/convert/${plural}.${group}`,
    maxBytes,
    answer: (review, call) => answerReview(conversions, review, call),
  };
}

type Review = ReturnType<typeof convertReview>;

async function answerReview<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  review: unknown,
  { signal, clock, log }: WebhookCall,
): Promise<Review> {
  const request = isMapping(review) ? review['request'] : undefined;
  const given = isMapping(request) ? request['objects'] : undefined;
  const objects: readonly unknown[] = Array.isArray(given) ? given : [];
  const convert = (objects: unknown): Review =>
    convertReview(conversions, {
      ...(isMapping(review) && review),
      ...(isMapping(request) && { request: { ...request, objects } }),
    });
  const none = rejectInvalidReview(() => convert(Array.isArray(given) ? [] : given));
  const { uid } = none.response;
  const failure = (message: string): Review => {
    const result = { status: 'Failure', message } as const;
    return { ...none, response: { uid, convertedObjects: [], result } };
  };
  const converted: Review['response']['convertedObjects'][number][] = [];
  const slice = new TimeSlice(clock, signal);
  try {
    for (const object of objects) {
      const { result, convertedObjects } = convert([object]).response;
      if (result.status === 'Failure') {
        log.warn('an object could not be converted', { uid, why: result.message });
        return failure(result.message);
      }
      converted.push(...convertedObjects);
      if (slice.isOver) await slice.yieldToOthers();
    }
  } catch (error) {
    log.error('a conversion failed', { uid, error });
    return failure(error instanceof TimedOut ? error.message : formatFailure(uid));
  }
  return { ...none, response: { ...none.response, convertedObjects: converted } };
}

/** A body that is not a review of this API has no answer, and does not count as a failed conversion. */
function rejectInvalidReview(convert: () => Review): Review {
  try {
    return convert();
  } catch (cause) {
    if (!(cause instanceof InvalidInput)) throw cause;
    throw new Refused(400, `the body must be a ConversionReview: ${cause.message}`, { cause });
  }
}
