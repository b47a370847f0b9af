import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { place, type Texts } from '../synth/output/folders.ts';
import type { ArgoCdPrograms } from './programs.ts';

/** The result of one test in the format of Argo CD's resource_customizations/, as Argo CD's own code evaluates it. */
export interface CustomizationResult {
  /** 'tenantry.dev/Tenant/testdata/new.yaml' */
  readonly test: string;
  /** The failure; absent if the test passes. */
  readonly wrong?: string;
  /** The merge patch that an action sends to the API server. */
  readonly patch?: object;
}

/** Tests of health and actions, in that format; see test/go/argocd/customizations.go. */
export const customizationTests = join(import.meta.dirname, 'resource_customizations');

/**
 * Runs tests with the scripts of a ConfigMap argocd-cm.
 * @param tests a folder, or the files of one
 */
export function runCustomizations(
  { bin }: ArgoCdPrograms,
  settings: object,
  tests: string | Texts,
): CustomizationResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-customizations-'));
  try {
    const file = join(folder, 'argocd-cm.yaml');
    writeFileSync(file, emitYaml([settings]));
    if (typeof tests !== 'string') place(join(folder, 'tests'), tests);
    const where = typeof tests === 'string' ? tests : join(folder, 'tests');
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const output = execFileSync(join(bin, 'customizations'), [file, where], {
      encoding: 'utf8',
      stdio: [...stdio],
    });
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as CustomizationResult);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
