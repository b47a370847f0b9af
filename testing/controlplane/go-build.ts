import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from './programs.ts';
import { goFolder, sumFile } from './cache.ts';
import { runGoBuild } from './run-go.ts';
import { resolveVersion } from './versions.ts';

const program = 'control-plane';

/**
 * Builds the program of go/ into `folder`, with a link for each of its names, by the `go` in the PATH.
 * Returns the reason where it failed.
 */
export async function buildPrograms(
  folder: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
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
  const failure = await runGoBuild(name, args, sources, { env, say });
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
