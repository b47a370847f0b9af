import { parseArgs } from 'node:util';
import { parseOnly, positive } from '../command-line.ts';

export interface Options {
  /** The number of custom resources. */
  readonly objects: number;
  /** Rounds for the first number of workers; the others get one less, and at least one. */
  readonly runs: number;
  readonly workers: readonly number[];
  /** The number of changes whose latency is measured. */
  readonly changes: number;
  /** Names of contenders, `cache` and `profile`; undefined: all. */
  readonly only?: ReadonlySet<string>;
  readonly write: boolean;
}

/** The name for the cache of 100,000 objects in `--only`. */
export const CACHE = 'cache';
/** The name for the profile of Tenantry's runtime in `--only`. */
export const PROFILE = 'profile';

const help = (names: readonly string[]) => `npm run bench:runtime -- [options]

Runs one operator on @tenantry/runtime and on controller-runtime, in turns, against one API server that
it starts: 10,000 custom resources, a ConfigMap for each. Takes about 14 minutes on two cores; a quarter of
it is the creation of ConfigMaps one by one. Needs Linux, and Go with a network or the modules. Without Go,
only @tenantry/runtime runs.

  --objects 10000   custom resources (default: 10000)
  --runs 3          rounds with the first number of workers; one less with the others (default: 3)
  --workers 1,10    workers of the operator (default: 1,10)
  --changes 400     changes whose latency is measured (default: 400)
  --only ours       some of: ${names.join(', ')}
  --write           write the section of docs/reference/benchmarks.md
  --help            this text`;

/**
 * Parses the command line; undefined for `--help`.
 * @param contenders further names that --only accepts
 * @throws {Error} for an invalid command line
 */
export function parseOptions(
  args: readonly string[],
  contenders: readonly string[],
): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: { type: 'string', default: '10000' },
      runs: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1,10' },
      changes: { type: 'string', default: '400' },
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = [...contenders, CACHE, PROFILE];
  if (values.help) {
    console.log(help(names));
    return undefined;
  }
  const only = parseOnly(values.only, names);
  const objects = positive('--objects', values.objects);
  const changes = positive('--changes', values.changes);
  if (changes > objects) {
    throw new Error(`--changes must be at most the ${objects} objects, got '${changes}'`);
  }
  return {
    objects,
    changes,
    runs: positive('--runs', values.runs),
    workers: values.workers.split(',').map((number) => positive('--workers', number)),
    ...only,
    write: values.write,
  };
}
