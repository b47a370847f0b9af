import type { Clock } from '../clock/clock.ts';
import { PublicProblem, type HealthCheck } from './check.ts';

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  /** Why the check fails; absent if it passes. */
  readonly problem?: Error;
  /** Set if the check was not run. */
  readonly isExcluded?: boolean;
}

export interface Probe {
  /** `readyz`. */
  readonly endpoint: string;
  readonly checks: readonly HealthCheck[];
  readonly exclude: readonly string[];
}

/** Runs all checks at once. One that does not answer within so many milliseconds fails. */
export function runChecks(
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
        await Promise.race([runCheck(one, late.signal), rejectOnAbort(late.signal)]);
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

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Formats the answer as the components of Kubernetes do: `ok`, or a line for each check. Everybody who can reach the
 * port may read it, so it contains only the messages of `PublicProblem`s.
 */
export function formatProbe(
  { endpoint, checks, exclude }: Probe,
  findings: readonly CheckResult[],
  isVerbose: boolean,
): string {
  const isWell = findings.every(({ problem }) => !problem);
  if (isWell && !isVerbose) return 'ok';
  const lines = findings.map(({ name, problem, isExcluded }) => {
    if (problem) return `[-]${name} failed: ${publicReason(problem)}`;
    return `[+]${name} ${isExcluded ? 'excluded: ' : ''}ok`;
  });
  const unknown = exclude.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  return [...lines, `${endpoint} check ${isWell ? 'passed' : 'failed'}`, ''].join('\n');
}

function publicReason(problem: Error): string {
  return problem instanceof PublicProblem ? problem.message : 'reason withheld';
}
