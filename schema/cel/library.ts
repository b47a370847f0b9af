import { authorizer } from './functions/authorizer.ts';
import { conversions, conversionsDeclared } from './functions/conversions.ts';
import { namedFormats } from './functions/formats.ts';
import { lists } from './functions/lists.ts';
import { network } from './functions/network.ts';
import { operators, operatorsAcross } from './functions/operators.ts';
import { optionals } from './functions/optionals.ts';
import { quantities } from './functions/quantities.ts';
import { matching, regex } from './functions/regex.ts';
import { semver } from './functions/semver.ts';
import { plainStrings, strings } from './functions/strings.ts';
import { times } from './functions/times.ts';
import { urls } from './functions/urls.ts';
import { overloads, type Functions, type Overload } from './overload.ts';
import { CIDR, DYN, IP, optional, type Type } from './type.ts';

/** What an expression may call and name besides its variables. */
export interface Library {
  /** Whether it has what Kubernetes adds to the language: optional values, macros of its own. */
  readonly isExtended: boolean;
  /** Types that can be named, besides those of CEL. */
  readonly types: ReadonlyMap<string, Type>;
  /** The overloads of a function, asked for inside of a macro or not; undefined where there is no such function. */
  overloadsOf(name: string, isInMacro?: boolean): readonly Overload[] | undefined;
  /** Every function that is known, for suggestions; signs and what macros need left out. */
  functionNames(): string[];
}

/** CEL's own. */
const plain: readonly Functions[] = [operators, conversions, times, plainStrings, matching];

/** Sets are with the lists; conversions of addresses to strings come after CEL's own. */
const added: readonly Functions[] = [
  operatorsAcross,
  conversionsDeclared,
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

class Tables implements Library {
  readonly isExtended: boolean;
  readonly types: ReadonlyMap<string, Type>;
  readonly #tables: readonly Functions[];
  readonly #inMacros: Tables;
  #functions: ReadonlyMap<string, readonly Overload[]> | undefined;

  constructor(
    tables: readonly Functions[],
    types: ReadonlyMap<string, Type>,
    { isExtended, inMacros }: { readonly isExtended: boolean; readonly inMacros?: Tables },
  ) {
    this.#tables = tables;
    this.types = types;
    this.isExtended = isExtended;
    this.#inMacros = inMacros ?? this;
  }

  overloadsOf(name: string, isInMacro = false): readonly Overload[] | undefined {
    if (isInMacro && this.#inMacros !== this) return this.#inMacros.overloadsOf(name);
    return this.#all().get(name);
  }

  functionNames(): string[] {
    return [...this.#all().keys()].filter((name) => /^[A-Za-z]/.test(name));
  }

  #all(): ReadonlyMap<string, readonly Overload[]> {
    return (this.#functions ??= Map.groupBy(
      this.#tables.flatMap(overloads),
      (one) => one.function,
    ));
  }
}

/** What rules in CEL have on an API server of Kubernetes 1.36. */
export const kubernetes: Library = new Tables(
  [...plain, ...added],
  new Map([
    ['optional_type', optional(DYN)],
    ['net.IP', IP],
    ['net.CIDR', CIDR],
  ]),
  { isExtended: true },
);

/**
 * CEL as cel-go has it by itself, and further functions. Within macros it forgets that numbers of two types are
 * not to be compared (cel-go v0.28.1, checker/env.go: the scope of a macro has no `filteredOverloadIDs`).
 */
export function plainLibrary(functions: Functions): Library {
  const types = new Map<string, Type>();
  const tables = [...plain, functions];
  const inMacros = new Tables([...tables, operatorsAcross], types, { isExtended: false });
  return new Tables(tables, types, { isExtended: false, inMacros });
}
