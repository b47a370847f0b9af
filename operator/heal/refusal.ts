import type { KubeObject } from '../../kube/object.ts';
import type { ApiError } from '../../runtime/errors/api-error.ts';
import { formatObjectName, identifyObject } from '../drift/object-drift.ts';
import type { Problem } from './problem.ts';

/** The most characters of a refusal that are reported. */
const LONGEST_MESSAGE = 400;

/** Builds the problem of a write that the API server refused, with the server's message. */
export function buildRefusalProblem(object: KubeObject, { reason, message }: ApiError): Problem {
  const words = message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
  return {
    reason: 'HealRefused',
    message: `${formatObjectName(identifyObject(object))}: ${reason}: ${words}`,
  };
}
