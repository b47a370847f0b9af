import { join } from 'node:path';
import { buildGoFolder } from '../../test/go/build.ts';
import type { Workspace } from '../workspace.ts';

/** A program that runs the operator. */
export interface Contender {
  /** Its name for `--only` and in the results. */
  readonly name: string;
  readonly title: string;
  /** Builds the program, or returns why it cannot be built. */
  prepare(workspace: Workspace): Promise<Program | { readonly missing: string }>;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly missing?: undefined;
}

/** The flags that docs/runtime.md recommends. */
export const FLAGS: readonly string[] = ['--max-semi-space-size=2', '--memory-saver-mode'];

export const ours: Contender = {
  name: 'ours',
  title: '@tenantry/runtime',
  async prepare(workspace) {
    workspace.build();
    const args = [...FLAGS, workspace.built('bench/programs/operator.js')];
    return { file: process.execPath, args };
  },
};

export const controllerRuntime: Contender = {
  name: 'controller-runtime',
  title: 'controller-runtime 0.24.1',
  async prepare() {
    const { program, reason } = await buildGoFolder('operator', join(import.meta.dirname, 'go'));
    return program === undefined ? { missing: reason } : { file: program, args: [] };
  },
};

export const contenders: readonly Contender[] = [ours, controllerRuntime];
