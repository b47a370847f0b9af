import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { buildKustomizations } from '../../../cli/commands/bundle/kustomize.ts';
import type { Bundle, BundleFinding } from '@tenantry/olm/bundle/bundle';
import { foldersToBuild } from '@tenantry/olm/folder/project-folder';
import { readProject } from '@tenantry/olm/folder/read-project';
import { buildGoFolder } from '../../go/build.ts';
import type { Texts } from '@tenantry/olm/test/sample';

const answers = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', env: process.env }).status === 0;

/**
 * Makes kustomize available on the PATH: kustomize itself, that of kubectl, or one that Go builds. Returns the reason
 * if there is none.
 */
export async function lackOfKustomize(): Promise<string | undefined> {
  if (answers('kustomize', 'version') || answers('kubectl', 'kustomize', '--help'))
    return undefined;
  const folder = join(import.meta.dirname, '..', '..', 'go', 'kustomize');
  const { program, reason } = await buildGoFolder('kustomize', folder);
  if (program === undefined) return `there is no kustomize and no kubectl: ${reason}`;
  const bin = mkdtempSync(join(tmpdir(), 'kustomize-'));
  symlinkSync(program, join(bin, 'kustomize'));
  process.env['PATH'] = `${bin}${delimiter}${process.env['PATH']}`;
  return undefined;
}

/** Imports the project in a folder: its bundle and the findings. */
export function importFolder(
  project: string,
  overlay?: string,
): { readonly bundle: Bundle; readonly findings: readonly BundleFinding[] } {
  const { built, findings } = buildKustomizations(project, foldersToBuild(project, overlay));
  const read = readProject(project, built);
  return { bundle: read.bundle, findings: [...findings, ...read.findings] };
}

/** Imports a project of these files: its bundle and the findings. */
export function importProject(
  texts: Texts,
  overlay?: string,
): { readonly bundle: Bundle; readonly findings: readonly BundleFinding[] } {
  const project = mkdtempSync(join(tmpdir(), 'project-'));
  try {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    return importFolder(project, overlay);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
