import { spawnSync } from 'node:child_process';

/** A program that a peer needs on the PATH, in one version, so that the page names what was measured. */
export interface RequiredProgram {
  readonly program: string;
  /** Arguments that print its version. */
  readonly versionArgs: readonly string[];
  /** Text that the output must contain. */
  readonly version: string;
  /** The shell command that installs it. */
  readonly install: string;
}

/** Returns why a peer cannot run; undefined when it can. */
export function describeMissing({
  program,
  versionArgs,
  version,
  install,
}: RequiredProgram): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, [...versionArgs], {
    encoding: 'utf8',
  });
  if (error) return `${program} must be on the PATH, and is not: ${install}`;
  const output = `${stdout}${stderr}`.trim();
  if (status === 0 && output.includes(version)) return undefined;
  const last = output.split('\n').at(-1)?.trim() || 'nothing';
  return `${program} must give ${version}, got ${last}: ${install}`;
}
