import type { Kind } from '../../kinds/kind.ts';
import type { Admitted } from './request.ts';

/** The answer of a webhook. */
export type AdmissionVerdict =
  | { readonly allowed: true; readonly object?: undefined }
  | {
      readonly allowed: false;
      /** The message for the client; the API server puts the name of the webhook before it. */
      readonly message: string;
      /** The HTTP status of the refusal. */
      readonly code: number;
      /** The reason as one word, for programs. */
      readonly reason: string;
    };

/** The answer of a mutating webhook, which may contain a changed object. */
export type Mutation<K extends Kind> =
  AdmissionVerdict | { readonly allowed: true; readonly object: Admitted<K> };

/** Allows the request unchanged. */
export const allowed: AdmissionVerdict = { allowed: true };

/** Refuses the request. The message should contain what is wrong, what it must be, and what it is. */
export function denied(
  message: string,
  { code = 403, reason = 'Forbidden' }: { readonly code?: number; readonly reason?: string } = {},
): AdmissionVerdict {
  return { allowed: false, message, code, reason };
}

/** Allows the request with this object in place of its own. */
export function changed<K extends Kind>(object: Admitted<K>): Mutation<K> {
  return { allowed: true, object };
}
