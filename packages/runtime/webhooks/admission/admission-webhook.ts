import { rejectOnAbort } from '../../clock/clock.ts';
import { resourceOf, type Kind } from '../../kinds/kind.ts';
import { computeJsonPatch, type JsonPatchOperation } from '../json-patch.ts';
import { stringifyJson, parseJson } from '../../connection/json.ts';
import { formatFailure, TimedOut, type Webhook, type WebhookCall } from '../webhook.ts';
import {
  parseRequest,
  buildAdmissionRequest,
  type AdmissionRequest,
  type ResponseExtras,
  type ParsedRequest,
} from './request.ts';
import { denied, allowed, type AdmissionVerdict, type Mutation } from './verdict.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { compileSchema } from '@tenantry/crd/schema/validator';

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
interface Decision {
  readonly verdict: AdmissionVerdict;
  readonly patch?: readonly JsonPatchOperation[] | undefined;
}

type Decide<K extends Kind> = (
  request: AdmissionRequest<K>,
  read: ParsedRequest,
) => Promise<Decision>;

/**
 * Creates a webhook for AdmissionReview (admission.k8s.io/v1; `admissionReviewVersions` of the configuration must
 * contain `v1`). A decision that throws, or takes longer than the API server waits, becomes a refusal, whose cause is
 * logged.
 */
function createAdmissionWebhook<K extends Kind>(
  verb: 'validate' | 'mutate',
  { kind, subresource, path, maxBytes = 8 * 1024 * 1024 }: AdmissionWebhookProps<K>,
  decide: Decide<K>,
): Webhook {
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return {
    path: path ?? `/${verb}/${resourceOf(kind)}${suffix}`,
    maxBytes,
    answer: async (review, call) => {
      const read = parseRequest(review, kind, subresource);
      const extras: ResponseExtras = { warnings: [], auditAnnotations: {} };
      const decision = await runDecision(decide, read, extras, call);
      return buildReview(read.uid, decision, extras);
    },
  };
}

async function runDecision<K extends Kind>(
  decide: Decide<K>,
  read: ParsedRequest,
  extras: ResponseExtras,
  call: WebhookCall,
): Promise<Decision> {
  const { uid } = read;
  const { signal, log } = call;
  const request = buildAdmissionRequest<K>(read, extras, call);
  const decision = (async () => decide(request, read))();
  try {
    return await rejectOnAbort(decision, signal);
  } catch (error) {
    log.error('an admission webhook failed', { uid, error });
    // A later error is logged too, and does not end the process.
    if (signal.aborted) void decision.catch((late) => log.error('it failed later', { uid, late }));
    const isLate = error instanceof TimedOut;
    const message = isLate ? error.message : formatFailure(uid);
    const how = isLate ? { code: 504, reason: 'Timeout' } : { code: 500, reason: 'InternalError' };
    return { verdict: denied(message, how) };
  }
}

interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: object;
  readonly patchType?: 'JSONPatch';
  readonly patch?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

function buildReview(
  uid: string,
  { verdict, patch = [] }: Decision,
  { warnings, auditAnnotations }: ResponseExtras,
): object {
  const refusal = verdict.allowed ? undefined : verdict;
  const isPatched = verdict.allowed && patch.length > 0;
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: omitUndefined<AdmissionResponse>({
      uid,
      allowed: verdict.allowed,
      status: refusal && {
        status: 'Failure',
        message: refusal.message,
        code: refusal.code,
        reason: refusal.reason,
      },
      patchType: isPatched ? 'JSONPatch' : undefined,
      patch: isPatched ? Buffer.from(stringifyJson(patch)).toString('base64') : undefined,
      warnings: warnings.length > 0 ? warnings : undefined,
      auditAnnotations: Object.keys(auditAnnotations).length > 0 ? auditAnnotations : undefined,
    }),
  };
}

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
 * import { admission, kindOf, validatingWebhook } from '@tenantry/runtime';
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

/** The options of a mutating webhook. */
export interface MutatingWebhookProps<K extends Kind> extends AdmissionWebhookProps<K> {
  /**
   * The schema of the version. API servers call mutating webhooks before they validate the object, so the type of
   * `object` is not guaranteed. With a schema, an invalid object passes unchanged, and the API server refuses it with
   * its own message.
   * @default - every object is passed to `mutate`
   */
  readonly schema?: JSONSchemaProps | undefined;
  /**
   * Returns another object. It may differ in everything except apiVersion, kind and most of the metadata: there only
   * labels, annotations, finalizers and ownerReferences may change. API servers may call it again for the changed
   * object, so it must be idempotent.
   */
  mutate(request: AdmissionRequest<K>): Mutation<K> | Promise<Mutation<K>>;
}

/**
 * Declares a webhook that changes written objects. The change is sent as a JSON patch (RFC 6902).
 *
 * @example
 * ```ts
 * import { admission, kindOf, mutatingWebhook } from '@tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * const webhook = mutatingWebhook({
 *   kind: kindOf(redis, 'v1'),
 *   schema: redis.versions.v1.schema,
 *   mutate: ({ object }) =>
 *     object?.spec.image === 'redis:latest'
 *       ? admission.changed({ ...object, spec: { ...object.spec, image: 'redis:8' } })
 *       : admission.allowed,
 * });
 * console.log(webhook.path); // /mutate/redises.cache.example.com
 * ```
 */
export function mutatingWebhook<K extends Kind>(props: MutatingWebhookProps<K>): Webhook {
  const { schema } = props;
  const validator = schema && compileSchema(schema, { root: true });
  return createAdmissionWebhook('mutate', props, async (request, read): Promise<Decision> => {
    if (validator && request.object && !validator.accepts(request.object)) {
      return { verdict: allowed };
    }
    const mutation = await props.mutate(request);
    if (!mutation.allowed) return { verdict: mutation };
    const { object } = mutation;
    const patch = object && computeJsonPatch(read.fields['object'], validateMutation(object, read));
    return { verdict: allowed, patch };
  });
}

/** The fields of metadata that may be changed. */
const changeable: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
]);

/** @throws {Error} if it changes what may not be changed */
function validateMutation(object: object, { fields, operation }: ParsedRequest): unknown {
  const before = fields['object'];
  if (!isMapping(before)) throw new Error(`${operation} has no object that could be changed`);
  // As it will be sent, without undefined fields.
  const after = parseJson(stringifyJson(object));
  const check = (path: string, a: unknown, b: unknown): void => {
    if (isDeepEqual(a, b)) return;
    throw new Error(`${path} must stay ${show(a)}, got ${show(b)}`);
  };
  if (!isMapping(after) || !isMapping(after['metadata'])) {
    throw new Error(`the changed object must have metadata, got ${show(after)}`);
  }
  for (const field of ['apiVersion', 'kind']) check(field, before[field], after[field]);
  const [old, now] = [isMapping(before['metadata']) ? before['metadata'] : {}, after['metadata']];
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!changeable.has(field)) check(`metadata.${field}`, old[field], now[field]);
  }
  return after;
}
