import type { Client } from './client.ts';

/**
 * Requests a token of the API server (TokenRequest) for an existing service account; it is valid for an
 * hour.
 */
export async function requestToken(
  admin: Client,
  namespace: string,
  name: string,
): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status, body } = await admin.put(account, 'token', request, { method: 'POST' });
  if (status !== 201) throw new Error(`no token for ${namespace}/${name}: ${body.message}`);
  return (body.status as { token: string }).token;
}
