import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheFileName } from './memory.ts';

/** How an app is run: what its environment says, read here and nowhere else. */
export interface Run {
  /** `compare` finds out what would change, and changes nothing. */
  readonly mode: 'write' | 'compare';
  /** The output folder; undefined: the app's own. */
  readonly out?: string;
  /** Where the report of the run is written, by apps that `tenantry` starts. */
  readonly report?: string;
  /** Whether cdk8s asks for construct-metadata.json (CDK8S_RECORD_CONSTRUCT_METADATA). */
  readonly constructMetadata: boolean;
  /** Whether progress may be shown on stderr. */
  readonly progress: boolean;
  /** The folder in which things are remembered between runs; undefined: nothing is. */
  readonly memory?: string;
  /** How many threads render. @default - one, and in a large fleet one fewer than there are cores */
  readonly workers?: number;
  /** Whether a warning refuses the run as an error does. @default false */
  readonly warningsAsErrors?: boolean;
}

/** The variable by which `tenantry` tells the app that it starts how to run: a Run as JSON. */
export const RUN = 'TENANTRY_RUN';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The run that `tenantry` asks for, or the plain one of `cdk8s synth` and of `node main.ts`. */
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

/** Whether cdk8s, or who runs it, asks for construct-metadata.json, in the words of cdk8s. */
export function isMetadataRequested(environment: Environment = process.env): boolean {
  return environment['CDK8S_RECORD_CONSTRUCT_METADATA'] === 'true';
}

/** Whether a CI system runs this: they all set CI. */
export function isCi({ CI }: Environment): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}

/**
 * Where things may be remembered: nowhere in CI, nor where TENANTRY_CACHE is `off`; else in
 * TENANTRY_CACHE, or `tenantry/synth` in the user's cache folder (XDG_CACHE_HOME, ~/.cache).
 */
export function cacheFolder(environment: Environment): { memory?: string } {
  const { TENANTRY_CACHE: chosen, XDG_CACHE_HOME: caches } = environment;
  if (chosen === 'off' || isCi(environment)) return {};
  return { memory: chosen || join(caches || join(homedir(), '.cache'), 'tenantry', 'synth') };
}

/** The file in which the output of a folder is remembered. */
export function cacheFile(folder: string, out: string): string {
  return join(folder, cacheFileName(resolve(out)));
}
