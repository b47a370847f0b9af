import { InvalidInput, formatList, show } from '../../kube/problem.ts';
import type { ConnectionProps } from './explicit.ts';
import type { TextOrFile } from './files.ts';
import { validateProxyUrl, parseServerUrl, redactUrl } from './web-url.ts';
import {
  resolveRelativePath,
  type Cluster,
  type Entry,
  type Kubeconfig,
  type User,
} from './kubeconfig.ts';

/** A context of a kubeconfig, with the cluster and user that it references. */
export interface ResolvedContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly clusterName: string;
  readonly cluster: Entry<Cluster>;
  readonly userName: string | undefined;
  /** An empty user if the context names none; requests then carry no credentials. */
  readonly user: Entry<User>;
}

/**
 * Returns a context by name, or the current one.
 * @throws {InvalidInput} if it does not exist, or references something that does not
 */
export function resolveContext(config: Kubeconfig, name = config.currentContext): ResolvedContext {
  const file = config.files.join(', ');
  if (!name)
    throw createKubeconfigError(file, 'current-context', 'must name a context, got nothing');
  const context = config.contexts.get(name);
  if (!context) {
    const known = formatList([...config.contexts.keys()]) || 'none';
    throw createKubeconfigError(file, 'contexts', `must have ${show(name)}, got ${known}`);
  }
  const { cluster: clusterName, user: userName, namespace } = context.value;
  const path = `contexts[${show(name)}].context`;
  const cluster = config.clusters.get(clusterName);
  if (!cluster) {
    throw createKubeconfigError(
      context.file,
      `${path}.cluster`,
      `must name a cluster, got ${show(clusterName)}`,
    );
  }
  const user = userName ? config.users.get(userName) : { value: {}, file: context.file };
  if (!user)
    throw createKubeconfigError(
      context.file,
      `${path}.user`,
      `must name a user, got ${show(userName)}`,
    );
  return { name, namespace: namespace || undefined, clusterName, cluster, userName, user };
}

/**
 * Returns the connection of a context whose credentials are in the kubeconfig or in files. As in kubectl, inline data
 * takes precedence over files, but a token file over an inline token.
 * @throws {InvalidInput}
 */
export function buildConnectionProps({
  cluster,
  user,
  namespace,
}: ResolvedContext): ConnectionProps {
  const asked = user.value;
  const { username, password = '' } = asked;
  return {
    ...buildServerProps(cluster),
    namespace,
    cert: readPem(user, 'client-certificate'),
    key: readPem(user, 'client-key'),
    token: asked.tokenFile
      ? { file: resolveRelativePath(user.file, asked.tokenFile) }
      : asked.token || undefined,
    basic: username ? { username, password } : undefined,
    impersonate: parseImpersonation(user),
  };
}

/**
 * Returns the server of a context, without credentials.
 * @throws {InvalidInput}
 */
export function buildServerProps({ value, file }: Entry<Cluster>): ConnectionProps {
  const { server, 'proxy-url': proxy } = value;
  if (!parseServerUrl(server)) {
    const message = `must be a URL such as 'https://10.0.0.1:6443', got ${redactUrl(server)}`;
    throw createKubeconfigError(file, 'clusters[].cluster.server', message);
  }
  const fault = proxy ? validateProxyUrl(proxy) : undefined;
  if (fault !== undefined) throw createKubeconfigError(file, 'clusters[].cluster.proxy-url', fault);
  return {
    server,
    ca: readPem({ value, file }, 'certificate-authority'),
    servername: value['tls-server-name'] || undefined,
    isInsecure: value['insecure-skip-tls-verify'],
    proxy: proxy || undefined,
  };
}

/** Parses the user to impersonate. */
export function parseImpersonation({ value, file }: Entry<User>): ConnectionProps['impersonate'] {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = value;
  if (as) return { user: as, uid, groups, extra };
  if (!uid && !groups && !extra) return undefined;
  throw createKubeconfigError(
    file,
    'users[].user.as',
    'must be set with as-uid, as-groups, as-user-extra',
  );
}

type PemField = 'certificate-authority' | 'client-certificate' | 'client-key';

/** Reads PEM from the kubeconfig, in base64, or from a file of its own. */
function readPem<F extends PemField>(
  { value, file }: Entry<{ readonly [K in F | `${F}-data`]?: string }>,
  field: F,
): TextOrFile | undefined {
  const data = value[`${field}-data` as const];
  const path = value[field];
  if (!data) return path ? { file: resolveRelativePath(file, path) } : undefined;
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (text.includes('-----BEGIN ')) return text;
  throw createKubeconfigError(file, `${field}-data`, 'must be PEM in base64, got something else');
}

function createKubeconfigError(file: string, path: string, message: string): InvalidInput {
  return new InvalidInput([{ file, path, message, rule: 'kubeconfig' }]);
}
