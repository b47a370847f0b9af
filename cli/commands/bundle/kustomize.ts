import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { errorAt, warningAt } from '@tenantry/kube/finding';
import type { BundleFinding } from '@tenantry/olm/bundle/bundle';
import type { BuiltFolder } from '@tenantry/olm/project/project-bundle';

/** The folders of a project that kustomize built, and its findings. */
export interface Kustomized {
  /** Those that were built. */
  readonly built: readonly BuiltFolder[];
  readonly findings: readonly BundleFinding[];
}

/** The limits for building one folder. */
export interface BuildLimits {
  /** Time limit; a kustomization may download resources from another repository. */
  readonly milliseconds: number;
  readonly bytes: number;
}

const LIMITS: BuildLimits = { milliseconds: 120_000, bytes: 64 * 2 ** 20 };
/** The longest error output of a failed program that is shown, in characters. */
const MAX_REASON_LENGTH = 1000;

/** The programs that can build a kustomization. The first one that is installed runs. */
const programs = [
  { program: 'kustomize', command: 'build' },
  { program: 'kubectl', command: 'kustomize' },
] as const;

const INSTALL =
  'install one of them, see https://kubectl.docs.kubernetes.io/installation/kustomize/';

/**
 * Builds kustomizations with the installed kustomize, or else with kubectl. No shell runs, and
 * neither program runs plugins or charts.
 *
 * @param folders relative to the folder of the project
 */
export function buildKustomizations(
  project: string,
  folders: readonly string[],
  limits: BuildLimits = LIMITS,
): Kustomized {
  const built: BuiltFolder[] = [];
  const findings: BundleFinding[] = [];
  for (const folder of folders) {
    const outcome = buildFolder(resolve(project, folder), limits);
    if (outcome.failure !== undefined) {
      findings.push({ ...errorAt([], outcome.failure, 'kustomize'), file: folder });
      // The next folder would fail for the same reason.
      if (outcome.isMissing) break;
      continue;
    }
    built.push({ folder, text: outcome.text });
    for (const line of outcome.warnings) {
      findings.push({ ...warningAt([], `kustomize warns: ${line}`, 'kustomize'), file: folder });
    }
  }
  return { built, findings };
}

type BuildOutcome =
  | { readonly text: string; readonly warnings: readonly string[]; readonly failure?: undefined }
  | { readonly failure: string; readonly isMissing?: boolean };

function buildFolder(folder: string, { milliseconds, bytes }: BuildLimits): BuildOutcome {
  for (const { program, command } of programs) {
    const { error, status, stdout, stderr } = spawnSync(program, [command, folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: process.env,
      timeout: milliseconds,
      killSignal: 'SIGKILL',
      maxBuffer: bytes,
    });
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    // A shell skips a file that may not be executed, too.
    if (code === 'ENOENT' || code === 'EACCES') continue;
    if (code === 'ETIMEDOUT') {
      return {
        failure: `must be built in ${milliseconds / 1000} s, got no result from ${program}`,
      };
    }
    if (code === 'ENOBUFS') {
      return { failure: `must give at most ${bytes / 2 ** 20} MiB, got more` };
    }
    if (error)
      return { failure: `must be built by ${program}, which did not run: ${error.message}` };
    if (status === 0) return { text: stdout, warnings: splitLines(stderr) };
    const reason = splitLines(stderr).join(' ').slice(0, MAX_REASON_LENGTH);
    return { failure: `must be a kustomization that ${program} builds, got: ${reason}` };
  }
  return {
    failure: `must be built by kustomize or kubectl, got neither on the PATH: ${INSTALL}`,
    isMissing: true,
  };
}

/** Matches the prefix of an error message, such as the log header of kubectl. */
const BEFORE = /^(?:# |Error: |E\d{4} [\d:.]+ +\d+ \S+\] "command failed" err=)/;

function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(BEFORE, '').trim());
  return lines.filter((line) => line !== '');
}
