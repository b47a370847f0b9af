import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Project } from '../cli/project.ts';
import { root } from '../structure/tracked.ts';
import type { Texts } from '../synth/output/folders.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

export interface PackedProjectOptions {
  /** The tarball of the package. */
  readonly tarball: string;
  /** A folder above the project whose packages the project also has. @default - none */
  readonly below?: string;
  /** Packages of this repository that the project has, too. @default - none */
  readonly packages?: readonly string[];
  readonly files: Texts;
}

/** Runs a test in a project that has the packed package, laid out as by npm, without running npm. */
export async function inPackedProject(
  { tarball, below = tmpdir(), packages = [], files }: PackedProjectOptions,
  body: (project: Project) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(below, 'project-'));
  try {
    const project = new Project(folder, files);
    const modules = join(project.folder, 'node_modules');
    const own = join(modules, 'tenantry');
    mkdirSync(own, { recursive: true });
    const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', own, '--strip', '1']);
    if (status !== 0) throw new Error(`tar must unpack ${tarball}, got ${String(stderr)}`);
    for (const name of [...Object.keys(manifest.dependencies), ...packages]) {
      const path = join(modules, name);
      mkdirSync(join(path, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), path, 'junction');
    }
    await body(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command `tenantry` of the packed package in the project. */
export const packedCommand = join('node_modules', 'tenantry', 'build', 'cli', 'main.js');
