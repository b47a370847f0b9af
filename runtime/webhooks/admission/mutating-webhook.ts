import { isDeepEqual } from '../../../kube/equality.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { show } from '../../../kube/problem.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { compileSchema } from '../../../schema/validator.ts';
import { parseJson, stringifyJson } from '../../connection/json.ts';
import type { Kind } from '../../kinds/kind.ts';
import { jsonPatch } from '../json-patch.ts';
import type { Webhook } from '../webhook.ts';
import {
  createAdmissionWebhook,
  type AdmissionWebhookProps,
  type Decision,
} from './admission-webhook.ts';
import type { AdmissionRequest, ReadRequest } from './request.ts';
import { allowed, type Mutation } from './verdict.ts';

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
 * import { admission, kindOf, mutatingWebhook } from 'tenantry/runtime';
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
    const patch = object && jsonPatch(read.fields['object'], validateMutation(object, read));
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
function validateMutation(object: object, { fields, operation }: ReadRequest): unknown {
  const before = fields['object'];
  if (!isMapping(before)) throw new Error(`${operation} has no object that could be changed`);
  // As it will be sent, without undefined fields.
  const after = parseJson(stringifyJson(object));
  const ask = (path: string, a: unknown, b: unknown): void => {
    if (isDeepEqual(a, b)) return;
    throw new Error(`${path} must stay ${show(a)}, got ${show(b)}`);
  };
  if (!isMapping(after) || !isMapping(after['metadata'])) {
    throw new Error(`the changed object must have metadata, got ${show(after)}`);
  }
  for (const field of ['apiVersion', 'kind']) ask(field, before[field], after[field]);
  const [old, now] = [isMapping(before['metadata']) ? before['metadata'] : {}, after['metadata']];
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!changeable.has(field)) ask(`metadata.${field}`, old[field], now[field]);
  }
  return after;
}
