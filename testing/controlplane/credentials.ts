/**
 * The address of a test's API server, and the credentials of a user: a token, or a certificate with its
 * key. It contains everything (PEM), so that it can be sent to another process. `connectionTo` accepts
 * it.
 */
export interface Credentials {
  /** 'https://127.0.0.1:41234' */
  readonly server: string;
  /** The authority that signed the server's certificate. */
  readonly ca: string;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Returns the same as a kubeconfig for kubectl, in JSON, which is YAML too. */
export function buildKubeconfig({ server, ca, token, cert = '', key = '' }: Credentials): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const user =
    token === undefined
      ? { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
      : { token };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
