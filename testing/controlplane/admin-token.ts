import { createHmac } from 'node:crypto';
import type { KeyPair } from './certificates.ts';

/**
 * The token of a cluster's administrator (--token-auth-file). An API server verifies a certificate
 * anew for every request, a tenth of its work in our tests; a token it looks up. It follows from the
 * authority's key, so it is as secret, and the same in every process that has the key.
 */
export function computeAdminToken({ key }: KeyPair): string {
  return createHmac('sha256', key).update('the administrator of this cluster').digest('hex');
}
