import { parseArgs } from 'node:util';
import { parseOnly, positive } from './command-line.ts';
import { HUGE, SIZES } from './sizes.ts';

export interface Options {
  readonly sizes: readonly number[];
  readonly runs: number;
  /** Names of peers, `incremental`, `real` and `profile`; undefined: all. */
  readonly only?: ReadonlySet<string>;
  readonly write: boolean;
}

/** The default number of runs. */
export const RUNS = 3;
/** The name for the runs after a change in `--only`. */
export const INCREMENTAL = 'incremental';
/** The name for the runs on a real fleet in `--only`. */
export const REAL = 'real';
/** The name for the profiles in `--only`. */
export const PROFILE = 'profile';

const help = (names: readonly string[]) => `npm run bench:synth -- [options]

Renders fleets of tenants with Tenantry and with its peers, and compares.

  --sizes 100,500   tenants of the fleets (default: ${SIZES.join(',')},
                    and with --write ${HUGE} besides)
  --runs 3          runs of each, in turns (default: ${RUNS})
  --only ours,helm  some of: ${names.join(', ')}
  --write           write docs/reference/benchmarks.md
  --help            this text

TENANTRY_FLEET names the folder of a real fleet, one folder a namespace; without it that part is left out.`;

/**
 * Parses the command line; undefined for `--help`.
 * @param names the names that --only accepts
 * @throws {Error} for an invalid command line
 */
export function parseOptions(
  args: readonly string[],
  names: readonly string[],
): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string' },
      runs: { type: 'string', default: String(RUNS) },
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help(names));
    return undefined;
  }
  const only = parseOnly(values.only, names);
  const sizes = values.sizes?.split(',').map((size) => positive('--sizes', size));
  return {
    sizes: sizes ?? (values.write ? [...SIZES, HUGE] : SIZES),
    runs: positive('--runs', values.runs),
    ...only,
    write: values.write,
  };
}
