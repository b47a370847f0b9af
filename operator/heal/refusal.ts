import type { KubeObject } from '../../kube/object.ts';
import type { ApiError } from '../../runtime/errors/api-error.ts';
import { formatObjectName, identifyObject } from '../drift/object-drift.ts';
import type { Problem } from './problem.ts';

/** Characters of a refusal that are told. */
const LONGEST_MESSAGE = 400;

/** What the API server says against a write, in its words. */
export function buildRefusalProblem(object: KubeObject, { reason, message }: ApiError): Problem {
  const words = message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
  return {
    reason: 'HealRefused',
    message: `${formatObjectName(identifyObject(object))}: ${reason}: ${words}`,
  };
}
