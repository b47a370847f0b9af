import type { Kind } from '../../kinds/kind.ts';
import type { Admitted } from './request.ts';

/** What a webhook answers. */
export type AdmissionVerdict =
  | { readonly allowed: true; readonly object?: undefined }
  | {
      readonly allowed: false;
      /** Whoever asked is told, after the name of the webhook. */
      readonly message: string;
      /** The status of the refusal. */
      readonly code: number;
      /** In one word, for programs. */
      readonly reason: string;
    };

/** What a mutating webhook answers: also another object. */
export type Mutation<K extends Kind> =
  AdmissionVerdict | { readonly allowed: true; readonly object: Admitted<K> };

/** The request goes on as it is. */
export const allowed: AdmissionVerdict = { allowed: true };

/** The request is refused: what is wrong, what it must be, what it is. */
export function denied(
  message: string,
  { code = 403, reason = 'Forbidden' }: { readonly code?: number; readonly reason?: string } = {},
): AdmissionVerdict {
  return { allowed: false, message, code, reason };
}

/** The request goes on with this object in place of its own. */
export function changed<K extends Kind>(object: Admitted<K>): Mutation<K> {
  return { allowed: true, object };
}
