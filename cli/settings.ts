import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import { isDate } from '@tenantry/kube/time';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { defaultInput } from '../apps/fleet-input.ts';
import { findMisnamedFile } from '../apps/misnamed-file.ts';
import { isCi, cacheFolder, RUN } from '../synth/run.ts';
import { UsageError } from './usage-error.ts';

/** The command line of `synth` and `check`, as commander gives it. */
export interface CommandOptions {
  readonly tenants?: string;
  readonly platform?: string;
  readonly out?: string;
  readonly date?: string;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
  readonly warningsAsErrors?: boolean;
  readonly workers?: string;
}

/** The values of --color. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** Whether stdout and stderr are colored. */
export interface Colors {
  readonly out: boolean;
  readonly err: boolean;
}

/** Everything that decides how a command runs: command line, cdk8s.yaml, environment. */
export interface Settings {
  readonly tenants: string;
  readonly platform: string;
  readonly out: string;
  /** The day for which is rendered. Default: the date of HEAD, or the current day without a commit */
  readonly date?: string;
  /** The command of the app; undefined for the built-in app of tenants and platform file. */
  readonly app?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether warnings count as problems. */
  readonly warningsAsErrors: boolean;
  /** Whether a CI system runs this. */
  readonly ci: boolean;
  readonly colors: Colors;
  readonly memory?: string;
  /** The number of render threads. Default: one, and in a large fleet one fewer than there are cores */
  readonly workers?: number;
}

const PROJECT = 'cdk8s.yaml';

/**
 * Resolves the settings. No other code reads them.
 * @throws {UsageError} when cdk8s.yaml cannot be used
 */
export function resolveSettings(options: CommandOptions): Settings {
  const { env } = process;
  if (env[RUN] !== undefined) {
    throw new UsageError(
      'the app of cdk8s.yaml must be a program that renders, got tenantry itself: leave `app` out',
    );
  }
  const project = readProject();
  for (const [name, value] of Object.entries(options)) {
    if (value === '') throw new UsageError(`--${name} must be a name, got an empty one`);
  }
  const tenants = options.tenants ?? defaultInput.tenants;
  const out = options.out ?? project.output ?? 'dist';
  if (`${resolve(out)}${sep}`.startsWith(`${resolve(tenants)}${sep}`)) {
    throw new UsageError(
      `--out must be outside of ${tenants}, where it would be read as declarations, got ${show(out)}`,
    );
  }
  return {
    tenants,
    platform: options.platform ?? defaultInput.platform,
    out,
    ...(options.date !== undefined && { date: parseDate(options.date) }),
    ...(project.app !== undefined && { app: project.app }),
    json: options.output === 'json',
    quiet: options.quiet ?? false,
    warningsAsErrors: options.warningsAsErrors ?? false,
    ci: isCi(env),
    colors: resolveColors(options.color),
    ...cacheFolder(env),
    ...(options.workers !== undefined && { workers: parseWorkers(options.workers) }),
  };
}

function parseDate(text: string): string {
  if (isDate(text)) return text;
  throw new UsageError(`--date must be a day such as 2027-01-31, got ${show(text)}`);
}

function parseWorkers(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError(`--workers must be a number of 1 to 99, got ${show(text)}`);
}

/** Resolves --color: a terminal that supports colors gets them, unless NO_COLOR is set. */
export function resolveColors(choice: ColorChoice): Colors {
  const { env, stdout, stderr } = process;
  const colored = (isTerminal: boolean): boolean =>
    choice === 'auto'
      ? isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
      : choice === 'always';
  return { out: colored(stdout.isTTY), err: colored(stderr.isTTY) };
}

/** Reads `app` and `output` of cdk8s.yaml like cdk8s-cli. */
function readProject(): { app?: string; output?: string } {
  if (!existsSync(PROJECT)) {
    const misnamed = findMisnamedFile(PROJECT);
    if (misnamed === undefined) return {};
    throw new UsageError(`${misnamed} must be called ${PROJECT} to be read: rename it`);
  }
  const { documents, problems } = readDocuments(readFileSync(PROJECT, 'utf8'));
  const [problem] = problems;
  if (problem)
    throw new UsageError(`${PROJECT}:${problem.line}:${problem.column} ${problem.message}`);
  const value = documents[0]?.value;
  if (value !== undefined && value !== null && !isMapping(value)) {
    throw new UsageError(`${PROJECT} must be a mapping, got ${show(value)}`);
  }
  const { app, output } = value ?? {};
  for (const [key, setting] of Object.entries({ app, output })) {
    if (setting !== undefined && (typeof setting !== 'string' || setting === '')) {
      throw new UsageError(`${PROJECT} ${key} must be a string, got ${show(setting)}`);
    }
  }
  return omitUndefined({
    app: app === undefined ? undefined : (app as string),
    output: output === undefined ? undefined : (output as string),
  });
}
