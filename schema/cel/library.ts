import { authorizer } from './functions/authorizer.ts';
import { conversions } from './functions/conversions.ts';
import { namedFormats } from './functions/formats.ts';
import { lists } from './functions/lists.ts';
import { network } from './functions/network.ts';
import { operators } from './functions/operators.ts';
import { optionals } from './functions/optionals.ts';
import { quantities } from './functions/quantities.ts';
import { regex } from './functions/regex.ts';
import { semver } from './functions/semver.ts';
import { strings } from './functions/strings.ts';
import { times } from './functions/times.ts';
import { urls } from './functions/urls.ts';
import { overloads, type Overload } from './overload.ts';

/** Sets are with the lists; conversions of addresses to strings come after CEL's own. */
const tables = [
  operators,
  conversions,
  times,
  strings,
  regex,
  lists,
  optionals,
  urls,
  quantities,
  network,
  namedFormats,
  semver,
  authorizer,
];

let functions: ReadonlyMap<string, readonly Overload[]> | undefined;

/** The overloads of a function of Kubernetes 1.36; undefined where there is no such function. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  functions ??= Map.groupBy(tables.flatMap(overloads), (one) => one.function);
  return functions.get(name);
}

/** Every function that is known, for suggestions; signs and what macros need left out. */
export function functionNames(): string[] {
  overloadsOf('');
  return [...functions!.keys()].filter((name) => /^[A-Za-z]/.test(name));
}
