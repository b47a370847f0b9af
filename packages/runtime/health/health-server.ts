import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rejectOnAbort, type Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';

/**
 * A problem whose message may be shown to everybody who can reach the port. It may name kinds and checks, but no
 * objects, addresses or credentials.
 */
export class PublicProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublicProblem';
  }
}

/** A check that passes if all is well. */
export interface HealthCheck {
  /** A DNS label, used in paths and answers. */
  readonly name: string;
  /**
   * Throws or rejects if the check fails, with a sentence that explains why. `?verbose` shows only the message of a
   * `PublicProblem`; the log shows all. The signal aborts when the answer is no longer needed.
   */
  check(signal: AbortSignal): void | Promise<void>;
}

export interface HealthServerProps {
  /** @default 8081; 0 takes any free port */
  readonly port?: number | undefined;
  /** @default - all addresses of the machine, including IPv6: the kubelet connects from outside of the pod */
  readonly host?: string | undefined;
  /**
   * The checks of /livez and /healthz: whether this process can still work. The kubelet kills a pod that fails them, so
   * include only what a restart would repair; not the API server.
   */
  readonly live: readonly HealthCheck[];
  readonly ready: readonly HealthCheck[];
  /** Milliseconds within which a check must answer. @default 5,000 */
  readonly timeout?: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Answers probes over HTTP at /livez, /readyz and /healthz, and for a single check at /readyz/<check>. 200 means that
 * all checks pass, 500 that one fails. `?verbose` lists the checks, `?exclude=<check>` leaves one out. A check that
 * begins to fail is logged with its cause.
 *
 * It is a runnable of a manager, and ends after the controllers and everything they need.
 */
export class HealthServer {
  readonly name = 'health';
  readonly #props: HealthServerProps;
  readonly #failing = new Set<string>();
  #port: number | undefined;

  /** @throws {Error} if two checks of an endpoint have the same name */
  constructor(props: HealthServerProps) {
    for (const checks of [props.live, props.ready]) {
      const names = checks.map(({ name }) => name);
      const twice = names.find((name, i) => names.indexOf(name) !== i);
      if (twice !== undefined)
        throw new Error(`a check must have a name of its own, got ${twice} twice`);
    }
    this.#props = props;
  }

  get port(): number | undefined {
    return this.#port;
  }

  /** Serves until the signal aborts. Rejects if it cannot listen. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { port = 8081, host, log } = this.#props;
    const limits = {
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    };
    const server = createServer(limits, (request, response) => {
      void this.#answer(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    log.info('health is served', { host, port: this.#port });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const stop = (): void => {
        server.close(() => resolve());
        server.closeAllConnections();
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end('method not allowed\n');
      return;
    }
    const { pathname, searchParams } = new URL(`http://localhost/${url.replace(/^\/+/, '')}`);
    const probe = this.#findProbe(pathname, searchParams.getAll('exclude'));
    if (!probe) {
      response.writeHead(404, headers).end('not found\n');
      return;
    }
    const { clock, timeout = 5_000 } = this.#props;
    const findings = await runChecks(probe, timeout, clock);
    this.#logChanges(probe, findings);
    const isWell = findings.every(({ problem }) => !problem);
    response
      .writeHead(isWell ? 200 : 500, headers)
      .end(formatProbe(probe, findings, searchParams.has('verbose')));
  }

  #findProbe(path: string, exclude: readonly string[]): Probe | undefined {
    const [, endpoint = '', name, ...rest] = path.split('/');
    const { live, ready } = this.#props;
    const all = new Map([
      ['livez', live],
      ['healthz', live],
      ['readyz', ready],
    ]).get(endpoint);
    const checks = name ? all?.filter((check) => check.name === name) : all;
    if (!checks || rest.length > 0 || (name && checks.length === 0)) return undefined;
    return { endpoint, checks, exclude };
  }

  /** Logs when a check begins to fail, and when it passes again. */
  #logChanges({ endpoint }: Probe, findings: readonly CheckResult[]): void {
    const { log } = this.#props;
    for (const { name, problem, isExcluded } of findings) {
      if (isExcluded) continue;
      const key = `${endpoint}/${name}`;
      if (problem && !this.#failing.has(key)) {
        this.#failing.add(key);
        log.warn('a health check fails', { endpoint, check: name, error: problem });
      } else if (!problem && this.#failing.delete(key)) {
        log.info('a health check passes again', { endpoint, check: name });
      }
    }
  }
}

interface CheckResult {
  readonly name: string;
  /** Why the check fails; absent if it passes. */
  readonly problem?: Error;
  readonly isExcluded?: boolean;
}

interface Probe {
  readonly endpoint: string;
  readonly checks: readonly HealthCheck[];
  readonly exclude: readonly string[];
}

/** Runs all checks at once. One that does not answer within so many milliseconds fails. */
function runChecks(
  { checks, exclude }: Probe,
  timeout: number,
  clock: Clock,
): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (one): Promise<CheckResult> => {
      const { name } = one;
      if (exclude.includes(name)) return { name, isExcluded: true };
      const late = new AbortController();
      const cancel = clock.after(timeout, () =>
        late.abort(new Error(`no answer in ${timeout} ms`)),
      );
      try {
        await rejectOnAbort(runCheck(one, late.signal), late.signal);
        return { name };
      } catch (error) {
        return { name, problem: error instanceof Error ? error : new Error(String(error)) };
      } finally {
        cancel();
      }
    }),
  );
}

async function runCheck(check: HealthCheck, signal: AbortSignal): Promise<void> {
  await check.check(signal);
}

/**
 * Formats the answer as the components of Kubernetes do: `ok`, or a line for each check. Everybody who can reach the
 * port may read it, so it contains only the messages of `PublicProblem`s.
 */
function formatProbe(
  { endpoint, checks, exclude }: Probe,
  findings: readonly CheckResult[],
  isVerbose: boolean,
): string {
  const isWell = findings.every(({ problem }) => !problem);
  if (isWell && !isVerbose) return 'ok';
  const lines = findings.map(({ name, problem, isExcluded }) => {
    if (problem) return `[-]${name} failed: ${formatReason(problem)}`;
    return `[+]${name} ${isExcluded ? 'excluded: ' : ''}ok`;
  });
  const unknown = exclude.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  return [...lines, `${endpoint} check ${isWell ? 'passed' : 'failed'}`, ''].join('\n');
}

function formatReason(problem: Error): string {
  return problem instanceof PublicProblem ? problem.message : 'reason withheld';
}
