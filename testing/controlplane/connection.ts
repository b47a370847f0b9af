import type { KeyPair } from './certificates.ts';

/** Where an API server is, and who asks it: a certificate of a client, or a bearer token. */
export interface Connection {
  /** 'https://127.0.0.1:41234' */
  readonly server: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  readonly identity: KeyPair | { readonly token: string };
}

/** The same as a kubeconfig of kubectl, in JSON, which is YAML too. Everything is in the file. */
export function kubeconfigOf({ server, authority, identity }: Connection): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user =
    'token' in identity
      ? { token: identity.token }
      : {
          'client-certificate-data': base64(identity.certificate),
          'client-key-data': base64(identity.key),
        };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server, 'certificate-authority-data': base64(authority) } },
    ],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** The connection that `kubeconfigOf` wrote. */
export function connectionOf(kubeconfig: string): Connection {
  const { clusters, users } = JSON.parse(kubeconfig) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const text = (base64 = '') => Buffer.from(base64, 'base64').toString();
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  return {
    server: cluster['server'] ?? '',
    authority: text(cluster['certificate-authority-data']),
    identity:
      user['token'] === undefined
        ? {
            certificate: text(user['client-certificate-data']),
            key: text(user['client-key-data']),
          }
        : { token: user['token'] },
  };
}
