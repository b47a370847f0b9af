import { parseArgs } from 'node:util';

export interface Options {
  readonly sizes: readonly number[];
  readonly runs: number;
  /** Names of peers, and `incremental`; undefined: all. */
  readonly only?: ReadonlySet<string>;
  readonly write: boolean;
}

/** Runs that are made unless the command line says otherwise. */
export const RUNS = 3;
export const SIZES: readonly number[] = [100, 500, 1000, 2000, 10_000];
/** What `--only` calls the runs after a change. */
export const INCREMENTAL = 'incremental';

const help = (names: readonly string[]) => `npm run bench:synth -- [options]

Renders fleets of tenants with Tenantry and with its peers, and compares.

  --sizes 100,500   tenants of the fleets (default: ${SIZES.join(',')})
  --runs 3          runs of each, in turns (default: ${RUNS})
  --only ours,helm  some of: ${names.join(', ')}
  --write           write docs/benchmarks.md
  --help            this text`;

/**
 * Reads the command line; undefined when it asked for help.
 * @param names what --only may name
 * @throws {Error} when it cannot be used
 */
export function optionsOf(args: readonly string[], names: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: SIZES.join(',') },
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
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`--only must be some of ${names.join(', ')}, got '${unknown}'`);
  }
  return {
    sizes: values.sizes.split(',').map((size) => positive('--sizes', size)),
    runs: positive('--runs', values.runs),
    ...(only && { only: new Set(only) }),
    write: values.write,
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${option} must be a number above 0, got '${text}'`);
}
