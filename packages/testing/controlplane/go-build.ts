import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { programs, resolveVersion } from './programs.ts';
import { goFolder, sumFile } from './cache.ts';
import { elapsedSince, withProgress } from './progress.ts';

const program = 'control-plane';

/**
 * Builds the program of go/ into `folder`, with a link for each of its names, by the `go` in the PATH.
 * Returns the reason where it failed.
 */
export async function buildPrograms(
  folder: string,
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<string | undefined> {
  const { version, modFile } = resolveVersion(env);
  const name = `Kubernetes ${version}`;
  const [major, minor] = version.split('.');
  const values = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(
    (module) => Object.entries(values).map(([key, value]) => `-X ${module}.${key}=${value}`),
  );
  const { sources, mode } = prepareSources(folder, modFile);
  const args = ['-trimpath', `-mod=${mode}`, `-modfile=${modFile}`];
  args.push('-ldflags', ['-s -w', ...flags].join(' '), '-o', join(folder, program), '.');
  const failure = await runGoBuild(name, args, sources, { env, report });
  if (sources !== goFolder) rmSync(sources, { recursive: true, force: true });
  if (failure !== undefined) return failure;
  for (const one of programs) symlinkSync(program, join(folder, one));
  return undefined;
}

/**
 * Chooses the folder where Go builds, and whether Go may write there. The package has no checksums, so
 * Go fetches them from the checksum database (GOSUMDB). It writes them beside a copy of the sources,
 * which is in the folder that is filled.
 */
function prepareSources(
  folder: string,
  modFile: string,
): { readonly sources: string; readonly mode: 'readonly' | 'mod' } {
  if (existsSync(join(goFolder, sumFile(modFile)))) return { sources: goFolder, mode: 'readonly' };
  const sources = join(folder, 'sources');
  cpSync(goFolder, sources, { recursive: true });
  return { sources, mode: 'mod' };
}

/** The timeout in milliseconds: far more than a cold build on two busy cores takes. */
const goTimeout = 45 * 60_000;

/** The output of the command, or why it failed. */
type GoResult =
  | { readonly output: string; readonly failure?: undefined }
  | { readonly failure: string; readonly output?: undefined };

/** Runs the `go` in the PATH without cgo, and never switches to another toolchain. */
export function runGo(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<GoResult> {
  const { promise, resolve } = Promise.withResolvers<GoResult>();
  const child = spawn('go', args, {
    cwd,
    env: {
      ...env,
      CGO_ENABLED: '0',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      GOFLAGS: '-buildvcs=false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(goTimeout),
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    resolve({ failure: isMissing ? 'there is no `go` in the PATH' : `go: ${error.message}` });
  });
  child.on('close', (code, signal) => {
    if (code === 0) return resolve({ output });
    const lines = words.split('\n').filter((line) => !line.startsWith('go: downloading'));
    const why = lines.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
    resolve({ failure: `go ${args[0]} failed (${signal ?? `exit ${code}`}): ${why}` });
  });
  return promise;
}

/** Runs `go build` and reports its progress. Returns the reason where it failed. */
export async function runGoBuild(
  name: string,
  flags: readonly string[],
  cwd: string,
  { env, report }: { readonly env: NodeJS.ProcessEnv; readonly report: (line: string) => void },
): Promise<string | undefined> {
  const started = performance.now();
  report(`${name}: building it with Go, which takes minutes the first time`);
  const { failure } = await withProgress(
    report,
    (elapsed) => `${name}: still building, ${elapsed}`,
    () => runGo(['build', ...flags], cwd, env),
  );
  if (failure === undefined) report(`${name}: built in ${elapsedSince(started)}`);
  return failure;
}
