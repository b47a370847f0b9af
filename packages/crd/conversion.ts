/** The conversion of objects between the versions of their kind, and the answers of a conversion webhook. */
import type { KubeObject } from '@tenantry/kube/object';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import type { Schemas } from './definition.ts';
import { convertObject, ConversionError } from './conversion/convert.ts';
import type { Conversions } from './conversion/conversions.ts';

export {
  conversions,
  type Conversions,
  type Converted,
  type ObjectOf,
  type Spoke,
  type Spokes,
} from './conversion/conversions.ts';
export { convertObject, ConversionError } from './conversion/convert.ts';
export { KEPT_ANNOTATION } from './conversion/kept-annotation.ts';

/** The response of a conversion webhook. */
export interface ConversionReviewResponse {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'ConversionReview';
  readonly response: {
    readonly uid: string;
    /** The converted objects in the order of the request; none on failure. */
    readonly convertedObjects: readonly KubeObject[];
    readonly result:
      { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
  };
}

const API_VERSION = 'apiextensions.k8s.io/v1';
const KIND = 'ConversionReview';

/**
 * The answer of a conversion webhook, to be sent with status 200 whether it is a success or not. Where
 * one object cannot be converted the whole is a failure, with the first reason: the API server fails
 * the request of its client with it.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-request-and-response
 *
 * @example
 * ```ts
 * import { convertReview } from '@tenantry/crd';
 * import { boxConversions } from './box.ts';
 *
 * const review = {
 *   apiVersion: 'apiextensions.k8s.io/v1',
 *   kind: 'ConversionReview',
 *   request: { uid: '1', desiredAPIVersion: 'example.com/v1', objects: [] },
 * };
 * console.log(convertReview(boxConversions, review).response.result); // { status: 'Success' }
 * ```
 *
 * @throws {InvalidInput} for what is no request of this API, which has no answer: status 400
 */
export function convertReview<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  review: unknown,
): ConversionReviewResponse {
  const { uid, desiredAPIVersion, objects } = parseReviewRequest(review);
  const answer = (
    convertedObjects: readonly KubeObject[],
    result: ConversionReviewResponse['response']['result'],
  ): ConversionReviewResponse => ({
    apiVersion: API_VERSION,
    kind: KIND,
    response: { uid, convertedObjects, result },
  });
  const converted: KubeObject[] = [];
  for (const object of objects) {
    try {
      converted.push(convertObject(conversions, object, desiredAPIVersion));
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      return answer([], { status: 'Failure', message: error.message });
    }
  }
  return answer(converted, { status: 'Success' });
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly unknown[];
}

function parseReviewRequest(review: unknown): ConversionRequest {
  const problems: Problem[] = [];
  const expect = (path: string, must: string, value: unknown, isRight: boolean): void => {
    if (isRight) return;
    const message = `must be ${must}, got ${show(value)}`;
    problems.push({ path, message, rule: 'conversion-review' });
  };
  const { apiVersion, kind, request } = isMapping(review) ? review : {};
  expect('apiVersion', API_VERSION, apiVersion, apiVersion === API_VERSION);
  expect('kind', KIND, kind, kind === KIND);
  const { uid, desiredAPIVersion, objects } = isMapping(request) ? request : {};
  expect('request.uid', 'a string', uid, typeof uid === 'string');
  const isText = typeof desiredAPIVersion === 'string';
  expect('request.desiredAPIVersion', 'a string', desiredAPIVersion, isText);
  expect('request.objects', 'a list', objects, Array.isArray(objects));
  if (problems.length > 0) throw new InvalidInput(problems);
  return { uid, desiredAPIVersion, objects } as ConversionRequest;
}
