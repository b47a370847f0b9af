import { createHmac } from 'node:crypto';
import type { KeyPair } from './certificates.ts';

/**
 * Computes the token of a cluster's administrator (--token-auth-file). An API server verifies a
 * certificate on every request, which is a tenth of its work in this repository's tests; it only looks
 * up a token. The token is derived from the authority's key, so it is as secret, and the same in every
 * process that has the key.
 */
export function computeAdminToken({ key }: KeyPair): string {
  return createHmac('sha256', key).update('the administrator of this cluster').digest('hex');
}
