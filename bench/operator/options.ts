import { parseArgs } from 'node:util';
import { parseOnly, positive } from '../command-line.ts';

export interface Options {
  /** The numbers of tenants, in ascending order. */
  readonly tenants: readonly number[];
  /** The duration of the measurements at rest, and while objects are changed. */
  readonly seconds: number;
  /** Names of contenders; undefined: all. */
  readonly only?: ReadonlySet<string>;
  readonly write: boolean;
}

const help = (names: readonly string[]) => `npm run bench:operator -- [options]

Runs the tenant operator, and beside it a controller on controller-runtime that compares by dry-run apply, in
turns, against one API server that it starts, with tenants of 12 objects. Takes about 25 minutes on two
cores, of which a fifth is loading the objects; with 1,000 tenants alone 8. Needs Linux, and Go with a network
or the modules; without Go ours runs alone.

  --tenants 1000,10000   how many tenants (default: 1000,10000)
  --seconds 60           for how long it is looked at, at rest and under change (default: 60)
  --only ours            some of: ${names.join(', ')}
  --write                write the section of docs/reference/benchmarks.md
  --help                 this text`;

/**
 * Parses the command line; undefined for `--help`.
 * @param contenders the names that --only accepts
 * @throws {Error} for an invalid command line
 */
export function parseOptions(
  args: readonly string[],
  contenders: readonly string[],
): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: 'string', default: '1000,10000' },
      seconds: { type: 'string', default: '60' },
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help(contenders));
    return undefined;
  }
  const only = parseOnly(values.only, contenders);
  const tenants = values.tenants.split(',').map((number) => positive('--tenants', number));
  if (tenants.some((size, i) => i > 0 && size <= tenants[i - 1]!)) {
    throw new Error(`--tenants must rise, got '${values.tenants}'`);
  }
  return { tenants, seconds: positive('--seconds', values.seconds), ...only, write: values.write };
}
