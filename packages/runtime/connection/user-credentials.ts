import { spawn } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { omitUndefined } from '@tenantry/kube/mapping';
import { type InvalidInput, show, formatBrief } from '@tenantry/kube/problem';
import type { Clock } from '../clock/clock.ts';
import {
  connectionTo,
  type Authorization,
  type Connection,
  type RequestHeaders,
  type Environment,
} from './connection.ts';
import {
  createKubeconfigError,
  parseImpersonation,
  buildServerProps,
  resolveRelativePath,
  type ResolvedContext,
  type Entry,
  type Exec,
} from './kubeconfig.ts';
import { clientNode } from '../optional-packages/optional.cjs';

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * Returns the connection of a context whose credentials come from a program (exec). The program runs at the first call,
 * when the credentials have expired, and when they were refused, never twice at once.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @throws {InvalidInput} if the configuration of the program is invalid
 */
export function connectViaProgram(
  { cluster, user, namespace }: ResolvedContext,
  exec: Exec,
  environment: Environment,
  clock: Clock,
): Connection {
  const props = { ...buildServerProps(cluster), namespace, impersonate: parseImpersonation(user) };
  const server = connectionTo(props, clock);
  const program = buildProgram({ value: exec, file: user.file }, environment);
  let known: Credential | undefined;
  const loadOnce = singleFlight(async () => {
    known = undefined;
    const output = await runProgram(program, clock);
    try {
      known = parseCredential(output, program.apiVersion);
    } catch (cause) {
      throw new Error(`${program.command}: ${(cause as Error).message}`, { cause });
    }
    return known;
  });
  return {
    ...server,
    authorize: async (options): Promise<Authorization> => {
      const isGood = known && !options?.isRefused && clock.date().getTime() < known.until;
      const [own, given] = await Promise.all([
        server.authorize(options),
        isGood && known ? known : loadOnce(),
      ]);
      return { headers: { ...own.headers, ...given.headers }, tls: { ...own.tls, ...given.tls } };
    },
  };
}

/** A command with a slash is relative to the kubeconfig; one without is searched for in PATH. */
function buildProgram({ value, file }: Entry<Exec>, environment: Environment) {
  const { apiVersion = '', command = '', args, env, installHint, interactiveMode } = value;
  const refused = (field: string, message: string): InvalidInput =>
    createKubeconfigError(file, `users[].user.exec.${field}`, message);
  if (!apiVersions.includes(apiVersion)) {
    throw refused(
      'apiVersion',
      `must be one of ${apiVersions.join(', ')}, got ${show(apiVersion)}`,
    );
  }
  if (command === '') throw refused('command', 'must be a program, got nothing');
  if (interactiveMode === 'Always') {
    const message = 'must be Never or IfAvailable, as there is no terminal, got Always';
    throw refused('interactiveMode', message);
  }
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const variables = (env ?? []).map(({ name, value }) => [name, value] as const);
  return {
    apiVersion,
    command: /[/\\]/.test(command) ? resolveRelativePath(file, command) : command,
    args: args ?? [],
    env: {
      ...environment,
      ...Object.fromEntries(variables),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    installHint,
  };
}

/** A credential from a program, and its expiry in milliseconds since 1970. */
interface Credential extends Authorization {
  readonly until: number;
}

/** The fields of ExecCredential that are read. */
interface Fields {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly status?: {
    readonly token?: unknown;
    readonly clientCertificateData?: unknown;
    readonly clientKeyData?: unknown;
    readonly expirationTimestamp?: unknown;
  } | null;
}

/**
 * Parses the credential in the output of a program (client.authentication.k8s.io, ExecCredential): a token, a
 * certificate with its key, or both.
 * @throws {Error} if it is invalid; the message contains no part of it
 */
function parseCredential(output: string, apiVersion: string): Credential {
  const { apiVersion: got, kind, status } = parseOutput(output);
  if (kind !== 'ExecCredential' || got !== apiVersion) {
    throw new Error(`the output must be an ExecCredential of ${apiVersion}, got something else`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = status ?? {};
  const bearerToken = toText(token)?.trim();
  const [certificate, ownKey] = [toText(cert), toText(key)];
  if ((certificate === undefined) !== (ownKey === undefined)) {
    throw new Error('status must have clientCertificateData and clientKeyData, got one of them');
  }
  if (bearerToken === undefined && certificate === undefined) {
    throw new Error('status must have a token, or a certificate with its key, got neither');
  }
  return {
    headers: omitUndefined({
      authorization: bearerToken === undefined ? undefined : `Bearer ${bearerToken}`,
    }),
    tls: omitUndefined({ cert: certificate, key: ownKey }),
    until: parseExpiration(status?.expirationTimestamp ?? undefined),
  };
}

function parseOutput(output: string): Fields {
  let read: unknown;
  try {
    read = JSON.parse(output);
  } catch {
    // The original message would quote the text.
    throw new Error('the output must be JSON, got something else');
  }
  return typeof read === 'object' && read !== null ? read : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function parseExpiration(expirationTimestamp: unknown): number {
  if (expirationTimestamp === undefined) return Infinity;
  const until = Date.parse(String(expirationTimestamp));
  if (!Number.isNaN(until)) return until;
  throw new Error('status.expirationTimestamp must be a time of RFC 3339, got something else');
}

/** Milliseconds. A program that waits for an interactive login would never end. */
const programTimeout = 60_000;

/** Characters. Credentials have some thousand; of standard error, the last ones are kept. */
const maxOutput = 1024 * 1024;
const maxErrorOutput = 2000;

/**
 * Runs a program and returns its standard output. It gets no terminal and no input, and is killed if it does not end in
 * time. Error messages contain the end of its standard error, and nothing of its output, which may be a secret.
 */
function runProgram(
  { command, args, env, installHint }: ReturnType<typeof buildProgram>,
  clock: Clock,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutput)
        fail(`${command} must write a credential, got ${maxOutput} characters`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-maxErrorOutput);
    });
    const cancel = clock.after(programTimeout, () =>
      fail(`${command} has not ended in ${programTimeout} ms`),
    );
    const fail = (what: string, cause?: unknown): void => {
      cancel();
      child.kill('SIGKILL');
      // Child processes of the program may still hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
      const lastLine = extractLastLine(errorOutput);
      const message = lastLine === '' ? what : `${what}: ${lastLine}`;
      reject(new Error(message, omitUndefined({ cause })));
    };
    child.on('error', (cause) => {
      const hint = installHint ? `: ${installHint.trim()}` : '';
      fail(`${command} cannot be run: ${cause.message}${hint}`, cause);
    });
    child.on('close', (code, signal) => {
      if (code !== 0) return fail(`${command} ended with ${code ?? signal}`);
      cancel();
      resolve(output);
    });
  });
}

function extractLastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  return formatBrief(line.trim());
}

interface ClientNode {
  readonly KubeConfig: typeof KubeConfig;
}

/**
 * Returns the connection of a context whose credentials come from an auth provider (oidc). The package
 * @kubernetes/client-node obtains them, caches them until they expire, and renews them; no request is sent through it.
 * Calls obtain them one at a time: the second use of one refresh token would be refused.
 * @throws {Error} if the package is not installed
 */
export async function connectViaClientNode(
  chosen: ResolvedContext,
  clock: Clock,
  load: () => Promise<ClientNode> = clientNode,
): Promise<Connection> {
  const { KubeConfig } = await load().catch((cause: unknown) => {
    throw new Error(formatMissingPackage(chosen), { cause });
  });
  const loadConfig = (): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(buildCluster(chosen), buildUser(chosen));
    return config;
  };
  let config = loadConfig();
  const loadOnce = singleFlight(() => loadCredentials(config));
  const impersonate = parseImpersonation(chosen.user);
  const server = connectionTo({ ...buildServerProps(chosen.cluster), impersonate }, clock);
  return {
    ...server,
    namespace: chosen.namespace,
    authorize: async (options): Promise<Authorization> => {
      // Its cached credentials were refused, and it has no way to drop them.
      if (options?.isRefused) config = loadConfig();
      const [own, given] = await Promise.all([server.authorize(options), loadOnce()]);
      return { headers: { ...own.headers, ...given }, tls: own.tls };
    },
  };
}

function formatMissingPackage({ user, userName }: ResolvedContext): string {
  const install = 'npm install @kubernetes/client-node@^2.0.0';
  return `${user.file} gives the user '${userName}' credentials by auth-provider, for which a package must be installed: ${install}`;
}

/** The runtime itself connects to the server with TLS. Credentials are refused to a cluster without https. */
function buildCluster({ clusterName, cluster }: ResolvedContext) {
  return { name: clusterName, server: cluster.value.server, skipTLSVerify: true };
}

function buildUser({ userName, user }: ResolvedContext) {
  return { name: userName ?? '', authProvider: user.value['auth-provider'] };
}

async function loadCredentials(config: KubeConfig): Promise<RequestHeaders> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return toHeaders(options.headers);
}

function toHeaders(headers: RequestOptions['headers'] = {}): RequestHeaders {
  const entries = Array.isArray(headers) ? [] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Returns a function that shares one run between all callers while the run is in progress. */
function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
