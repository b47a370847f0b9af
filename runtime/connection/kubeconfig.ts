import { dirname, resolve } from 'node:path';
import { errorAt, toProblem } from '../../kube/finding.ts';
import { InvalidInput, type Problem } from '../../kube/problem.ts';
import { readDocuments, type YamlDocument } from '../../kube/yaml/read.ts';
import { pruneValue } from '../../schema/admission.ts';
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
} from '../../schema/language.ts';
import { validateTyped } from '../../schema/validate.ts';

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

export type Cluster = Static<typeof cluster>;
export type User = Static<typeof user>;
export type Exec = Static<typeof exec>;
export type Context = Static<typeof context>;

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

/** Resolves the path of a file that a kubeconfig names. */
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
