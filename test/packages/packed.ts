import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { FileLock } from '@tenantry/testing/controlplane/lock';
import { until } from '@tenantry/testing/waiting/until';
import { workspaces } from '../../scripts/packages.ts';
import { projectFiles, root } from '../structure/tracked.ts';
import { runFolder } from './built.ts';

const execute = promisify(execFile);

/** A package that npm packed, as npm describes it. */
interface PackedPackage {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** The package `tenantry`, and those that it depends on. */
export interface Packed extends PackedPackage {
  /** All of them. */
  readonly packages: readonly PackedPackage[];
  /** The files that npm packed: that of `tenantry`, and those of the packages that it depends on. */
  readonly tarballs: readonly string[];
  /** The folder that was packed; its build/ is the same as in the package. */
  readonly copy: string;
}

/**
 * Returns the package. The first test file that needs it in a run builds and packs it, while others wait. It is deleted
 * at the end of the run.
 */
export async function packed(): Promise<Packed> {
  const folder = join(runFolder(), 'packed');
  const record = join(folder, 'packed.json');
  await mkdir(folder, { recursive: true });
  await until('the package is packed', () => packUnlessOther(folder, record), { within: 240_000 });
  const answer = JSON.parse(await readFile(record, 'utf8')) as Packed | { readonly error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}

/** Packs, unless that is recorded or another process is at it. Jest may kill that one, and then the next one packs. */
async function packUnlessOther(folder: string, record: string): Promise<boolean> {
  if (existsSync(record)) return true;
  const lock = FileLock.acquire(join(folder, 'lock'));
  if (typeof lock === 'number') return false;
  try {
    if (existsSync(record)) return true;
    const attempt = await mkdtemp(join(folder, 'attempt-'));
    const answer = await pack(attempt).catch((error: unknown) => ({ error: String(error) }));
    await writeFile(`${record}.new`, JSON.stringify(answer));
    await rename(`${record}.new`, record);
    return true;
  } finally {
    lock.release();
  }
}

/** Builds and packs a copy in a folder, so that the checkout's build/ stays unchanged. */
async function pack(folder: string): Promise<Packed> {
  const copy = join(folder, 'copy');
  const sources = projectFiles().filter(
    (path) => !/^(?:packages\/[^/]+\/)?(?:test|bench|examples)\//.test(path),
  );
  for (const path of sources) await cp(join(root, path), join(copy, path));
  await linkModules(copy);
  await node(copy, join('scripts', 'build.ts'));
  const built = workspaces.map((one) => `.${sep}${join('build', one.folder)}`);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execute('npm', [...args, '.', ...built], { cwd: copy });
  const packages = JSON.parse(stdout) as PackedPackage[];
  const [own] = packages;
  if (!own) throw new Error(`npm pack must print what it packed, got '${stdout}'`);
  return {
    ...own,
    packages,
    copy,
    tarballs: packages.map(({ filename }) => join(folder, filename)),
  };
}

/** Links the installed packages into a copy, whose own packages are those of the copy. */
async function linkModules(copy: string): Promise<void> {
  const modules = join(copy, 'node_modules');
  await mkdir(join(modules, '@tenantry'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name === '@tenantry') continue;
    await symlink(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  for (const { folder, manifest } of workspaces) {
    await symlink(join(copy, folder), join(modules, manifest.name), 'junction');
  }
}

/** Runs Node and returns stdout; an error contains the output of the failed process. */
export async function node(cwd: string, ...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
