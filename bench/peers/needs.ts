import { spawnSync } from 'node:child_process';

/** A program that a peer needs on the PATH, in one version, so that the page says what was measured. */
export interface Needs {
  readonly program: string;
  /** Arguments with which it prints its version. */
  readonly asked: readonly string[];
  /** What it gives then, among other things. */
  readonly version: string;
  /** How it gets there: a command for a shell. */
  readonly install: string;
}

/** Why a peer cannot run, in words; undefined when it can. */
export function whyMissing({ program, asked, version, install }: Needs): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, [...asked], { encoding: 'utf8' });
  if (error) return `${program} must be on the PATH, and is not: ${install}`;
  const output = `${stdout}${stderr}`.trim();
  if (status === 0 && output.includes(version)) return undefined;
  const last = output.split('\n').at(-1)?.trim() || 'nothing';
  return `${program} must give ${version}, got ${last}: ${install}`;
}
