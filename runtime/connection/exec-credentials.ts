import { InvalidInput, show } from '../../kube/problem.ts';
import type { Clock } from '../clock/clock.ts';
import type { Authorization, Connection } from './connection.ts';
import { parseImpersonation, buildServerProps, type ResolvedContext } from './context.ts';
import { parseCredential, type Credential } from './exec-credential.ts';
import { runProgram } from './exec-program.ts';
import { connectionTo } from './explicit.ts';
import type { Environment } from './in-cluster.ts';
import { resolveRelativePath, type Entry, type Exec } from './kubeconfig.ts';
import { singleFlight } from './single-flight.ts';

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * Returns the connection of a context whose credentials come from a program (exec). The program runs at the first call,
 * when the credentials have expired, and when they were refused, never twice at once.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @throws {InvalidInput} if the configuration of the program is invalid
 */
export function execCredentials(
  { cluster, user, namespace }: ResolvedContext,
  exec: Exec,
  environment: Environment,
  clock: Clock,
): Connection {
  const props = { ...buildServerProps(cluster), namespace, impersonate: parseImpersonation(user) };
  const server = connectionTo(props, clock);
  const program = buildProgram({ value: exec, file: user.file }, environment);
  let known: Credential | undefined;
  const ask = singleFlight(async () => {
    known = undefined;
    const output = await runProgram({ ...program, clock });
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
        isGood && known ? known : ask(),
      ]);
      return { headers: { ...own.headers, ...given.headers }, tls: { ...own.tls, ...given.tls } };
    },
  };
}

/** A command with a slash is relative to the kubeconfig; one without is searched for in PATH. */
function buildProgram({ value, file }: Entry<Exec>, environment: Environment) {
  const { apiVersion = '', command = '', args, env, installHint, interactiveMode } = value;
  const refused = (field: string, message: string): InvalidInput =>
    new InvalidInput([{ file, path: `users[].user.exec.${field}`, message, rule: 'kubeconfig' }]);
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
