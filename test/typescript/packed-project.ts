import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { listForeignDependencies, published } from '../../scripts/packages.ts';
import { Project } from '../cli/project.ts';
import { root } from '../structure/tracked.ts';
import type { Texts } from '../synth/output/folders.ts';

export interface PackedProjectOptions {
  /** The tarballs of `tenantry` and of its packages. */
  readonly tarballs: readonly string[];
  /** A folder above the project whose packages the project also has. @default - none */
  readonly below?: string;
  /** Packages of this repository that the project has, too. @default - none */
  readonly packages?: readonly string[];
  readonly files: Texts;
}

/** Runs a test in a project that has the packed package, laid out as by npm, without running npm. */
export async function inPackedProject(
  { tarballs, below = tmpdir(), packages = [], files }: PackedProjectOptions,
  body: (project: Project) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(below, 'project-'));
  try {
    const project = new Project(folder, files);
    const modules = join(project.folder, 'node_modules');
    for (const tarball of tarballs) unpack(tarball, modules);
    for (const name of [...listForeignDependencies(published), ...packages]) {
      const path = join(modules, name);
      mkdirSync(join(path, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), path, 'junction');
    }
    await body(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks a tarball to where npm installs it: its name is the package's, with a dash for a slash. */
function unpack(tarball: string, modules: string): void {
  const name = basename(tarball)
    .replace(/-\d.*$/, '')
    .replace(/^tenantry-/, '@tenantry/');
  const folder = join(modules, name);
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip', '1']);
  if (status !== 0) throw new Error(`tar must unpack ${tarball}, got ${String(stderr)}`);
}

/** Runs the command `tenantry` of the packed package in the project. */
export const packedCommand = join('node_modules', 'tenantry', 'build', 'cli', 'main.js');
