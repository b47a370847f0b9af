import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFiles, root } from '../structure/tracked.ts';

const execute = promisify(execFile);

/** What npm says of a package that it packed. */
export interface Packed {
  /** Where it lies, from the folder. */
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** Builds and packs a copy into a folder, so that the checkout's build/ stays as it is. */
export async function pack(folder: string): Promise<Packed> {
  const copy = join(folder, 'copy');
  const sources = projectFiles().filter((path) => !/^(test|bench|examples)\//.test(path));
  for (const path of sources) await cp(join(root, path), join(copy, path));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  await node(copy, join('scripts', 'build.ts'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execute('npm', args, { cwd: copy });
  const [result] = JSON.parse(stdout) as Packed[];
  if (!result) throw new Error(`npm pack must print what it packed, got '${stdout}'`);
  return result;
}

/** Runs Node and gives stdout; what a failed one printed is part of the error. */
export async function node(cwd: string, ...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
