import { dirname, resolve } from 'node:path';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import { InvalidInput, formatList, show, type Problem } from '@tenantry/kube/problem';
import { readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';
import { pruneValue } from '@tenantry/crd/schema/admission';
import {
  anyObject,
  boolean,
  list,
  map,
  nullable,
  object,
  required,
  string,
  type Static,
} from '@tenantry/crd/schema/language';
import { validateTyped } from '@tenantry/crd/schema/validate';
import type { ConnectionProps, TextOrFile } from './connection.ts';
import { validateProxyUrl, parseServerUrl, redactUrl } from './address.ts';

const cluster = object('A cluster.', {
  server: required(string('Its address.')),
  'certificate-authority': string('File of PEM.'),
  'certificate-authority-data': string('PEM in base64; takes precedence over the file.'),
  'insecure-skip-tls-verify': boolean('Does not check the certificate of the server.'),
  'tls-server-name': string('The name in the certificate of the server.'),
  'proxy-url': string('The proxy to the server.'),
});

const exec = object('A program that gives credentials.', {
  apiVersion: string('Of the ExecCredential.'),
  command: string('A path, or a name in PATH.'),
  args: nullable(list('Arguments.', string('One.'))),
  env: nullable(
    list(
      'Variables.',
      object('One.', {
        name: required(string('Its name.')),
        value: required(string('Its value.')),
      }),
    ),
  ),
  installHint: string('How it is installed.'),
  interactiveMode: string('Whether it needs a terminal.'),
});

const user = object('The credentials of a user.', {
  'client-certificate': string('File of PEM.'),
  'client-certificate-data': string('PEM in base64; takes precedence over the file.'),
  'client-key': string('File of PEM.'),
  'client-key-data': string('PEM in base64; takes precedence over the file.'),
  token: string('A bearer token.'),
  tokenFile: string('A file with a bearer token; takes precedence over the token.'),
  username: string('For basic authentication.'),
  password: string('For basic authentication.'),
  as: string('The user to impersonate.'),
  'as-uid': string('The UID to impersonate.'),
  'as-groups': list('The groups to impersonate.', string('A group.')),
  'as-user-extra': map('With more.', list('Values.', string('A value.'))),
  exec: nullable(exec),
  'auth-provider': anyObject('A provider of credentials, such as oidc.'),
});

const context = object('A cluster with a user.', {
  cluster: required(string('Name of a cluster.')),
  user: string('Name of a user.'),
  namespace: string('The namespace to work in.'),
});

const named = { name: required(string('The name of the entry.')) };

/** https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
const kubeconfig = object('A kubeconfig.', {
  'current-context': nullable(string('The name of a context.')),
  clusters: nullable(list('Clusters.', object('One.', { ...named, cluster: required(cluster) }))),
  users: nullable(list('Users.', object('One.', { ...named, user: nullable(user) }))),
  contexts: nullable(list('Contexts.', object('One.', { ...named, context: required(context) }))),
});

type Cluster = Static<typeof cluster>;
type User = Static<typeof user>;
export type Exec = Static<typeof exec>;
type Context = Static<typeof context>;

/** An entry of a kubeconfig, and its file, to which its paths are relative. */
export interface Entry<T> {
  readonly value: T;
  readonly file: string;
}

/** The merged content of kubeconfigs. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Entry<Cluster>>;
  readonly users: ReadonlyMap<string, Entry<User>>;
  readonly contexts: ReadonlyMap<string, Entry<Context>>;
}

/**
 * Merges kubeconfigs. As in kubectl, the first entry of a name and the first current context apply. Unknown fields are
 * ignored.
 * @throws {InvalidInput}
 */
export function mergeKubeconfigs(
  sources: readonly { readonly file: string; readonly text: string }[],
): Kubeconfig {
  const problems: Problem[] = [];
  let currentContext: string | undefined;
  const clusters = new Map<string, Entry<Cluster>>();
  const users = new Map<string, Entry<User>>();
  const contexts = new Map<string, Entry<Context>>();
  for (const { file, text } of sources) {
    const read = readKubeconfig(file, text, problems);
    if (!read) continue;
    currentContext ||= read['current-context'] ?? undefined;
    for (const { name, cluster } of read.clusters ?? []) add(clusters, name, cluster, file);
    for (const { name, user } of read.users ?? []) add(users, name, user ?? {}, file);
    for (const { name, context } of read.contexts ?? []) add(contexts, name, context, file);
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  const files = sources.map(({ file }) => file);
  return { files, currentContext, clusters, users, contexts };
}

export function resolveRelativePath(file: string, path: string): string {
  return resolve(dirname(file), path);
}

function add<T>(entries: Map<string, Entry<T>>, name: string, value: T, file: string): void {
  if (!entries.has(name)) entries.set(name, { value, file });
}

function readKubeconfig(
  file: string,
  text: string,
  problems: Problem[],
): Static<typeof kubeconfig> | undefined {
  const { documents, problems: found } = readDocuments(text);
  for (const { message, line, column } of found) {
    problems.push({ file, line, column, path: '', message, rule: 'kubeconfig' });
  }
  const [document, second] = documents;
  if (second) {
    const message = 'must be one document, got several';
    problems.push(
      toProblem(errorAt([], message, 'kubeconfig'), { file, ...second.positionAt([]) }),
    );
  }
  return document && parseDocument(document, file, problems);
}

function parseDocument(
  document: YamlDocument,
  file: string,
  problems: Problem[],
): Static<typeof kubeconfig> | undefined {
  const { value, errors = [] } = validateTyped(
    kubeconfig,
    pruneValue(kubeconfig, document.value).value,
  );
  for (const error of errors) {
    const { path, atKey } = error;
    const position = atKey ? document.keyPositionAt(path) : document.positionAt(path);
    problems.push(toProblem({ ...error, rule: 'kubeconfig' }, { file, ...position }));
  }
  return value;
}

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
  const fields = user.value;
  const { username, password = '' } = fields;
  return {
    ...buildServerProps(cluster),
    namespace,
    cert: readPem(user, 'client-certificate'),
    key: readPem(user, 'client-key'),
    token: fields.tokenFile
      ? { file: resolveRelativePath(user.file, fields.tokenFile) }
      : fields.token || undefined,
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

/** Returns the error for a kubeconfig that cannot be used. */
export function createKubeconfigError(file: string, path: string, message: string): InvalidInput {
  return new InvalidInput([{ file, path, message, rule: 'kubeconfig' }]);
}
