import { parseArgs } from 'node:util';
import { parseOnly, positive } from '../command-line.ts';

export interface Options {
  /** The numbers of tenants, in ascending order. */
  readonly tenants: readonly number[];
  /** Names of arrangements; undefined: all. */
  readonly only?: ReadonlySet<string>;
  readonly write: boolean;
}

const help = (names: readonly string[]) => `npm run bench:argocd -- [options]

Syncs the folders of many tenants with the real Argo CD, by one Application for all, by one and by three a tenant, each
arrangement on an API server of its own. Takes about half an hour on two cores. Needs Linux, and Go with a network
or the modules.

  --tenants 100,1000     how many tenants (default: 100,1000)
  --only one-for-all     some of: ${names.join(', ')}
  --write                write the section of docs/reference/benchmarks.md
  --help                 this text`;

/**
 * Parses the command line; undefined for `--help`.
 * @param arrangements the names that --only accepts
 * @throws {Error} for an invalid command line
 */
export function parseOptions(
  args: readonly string[],
  arrangements: readonly string[],
): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: 'string', default: '100,1000' },
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help(arrangements));
    return undefined;
  }
  const only = parseOnly(values.only, arrangements);
  const tenants = values.tenants.split(',').map((number) => positive('--tenants', number));
  return { tenants, ...only, write: values.write };
}
