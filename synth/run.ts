import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheFileName } from './render-cache.ts';

/** The settings of a run of an app. Its environment holds them, and only this file reads them. */
export interface Run {
  /** `compare` reports what would change, and changes nothing. */
  readonly mode: 'write' | 'compare';
  /** The output folder; undefined for the app's own. */
  readonly out?: string;
  /** The file for the report of the run, in apps that `tenantry` starts. */
  readonly report?: string;
  /** Whether to write construct-metadata.json for cdk8s (CDK8S_RECORD_CONSTRUCT_METADATA). */
  readonly constructMetadata: boolean;
  /** Whether progress may be shown on stderr. */
  readonly progress: boolean;
  /** The cache folder; undefined if nothing is remembered between runs. */
  readonly memory?: string;
  /** The number of render threads. @default - one, and in a large fleet one fewer than there are cores */
  readonly workers?: number;
  /** Whether a warning fails the run as an error does. @default false */
  readonly warningsAsErrors?: boolean;
}

/** The environment variable in which `tenantry` passes a Run, as JSON, to the app that it starts. */
export const RUN = 'TENANTRY_RUN';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the run that `tenantry` passes, or the default one of `cdk8s synth` and `node main.ts`. */
export function readRun(environment: Environment = process.env): Run {
  const serialized = environment[RUN];
  if (serialized !== undefined) return JSON.parse(serialized) as Run;
  return {
    mode: 'write',
    progress: false,
    constructMetadata: isMetadataRequested(environment),
    ...cacheFolder(environment),
  };
}

/** Whether the environment requests construct-metadata.json with the variable of cdk8s. */
export function isMetadataRequested(environment: Environment = process.env): boolean {
  return environment['CDK8S_RECORD_CONSTRUCT_METADATA'] === 'true';
}

/** Whether a CI system runs this. All of them set CI. */
export function isCi({ CI }: Environment): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}

/**
 * Returns the cache folder: none in CI or if TENANTRY_CACHE is `off`. Otherwise it is
 * TENANTRY_CACHE, or `tenantry/synth` in the user's cache folder (XDG_CACHE_HOME, ~/.cache).
 */
export function cacheFolder(environment: Environment): { memory?: string } {
  const { TENANTRY_CACHE: chosen, XDG_CACHE_HOME: caches } = environment;
  if (chosen === 'off' || isCi(environment)) return {};
  return { memory: chosen || join(caches || join(homedir(), '.cache'), 'tenantry', 'synth') };
}

/** Returns the cache file for a folder and its output. */
export function cacheFile(folder: string, out: string): string {
  return join(folder, cacheFileName(resolve(out)));
}
