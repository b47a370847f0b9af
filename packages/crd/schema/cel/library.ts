import { conversions, conversionsDeclared } from './functions/conversions.ts';
import { namedFormats } from './functions/formats.ts';
import { lists } from './functions/lists.ts';
import { network } from './functions/network.ts';
import { operators, operatorsAcross, optionals } from './functions/operators.ts';
import { quantities } from './functions/quantities.ts';
import { matching, regex, plainStrings, strings } from './functions/strings.ts';
import { semver } from './functions/semver.ts';
import { times } from './functions/times.ts';
import { urls } from './functions/urls.ts';
import { overloads, type Functions, type Overload } from './overload.ts';
import { CIDR, DYN, IP, optional, type Type } from './type.ts';

/** The functions and types that an expression can use besides its variables. */
export interface Library {
  /** Whether it includes what Kubernetes adds to the language: optional values and macros. */
  readonly isExtended: boolean;
  /** The types that can be named, besides those of CEL. */
  readonly types: ReadonlyMap<string, Type>;
  /** Returns the overloads of a function, within a macro or not; undefined if there is no such function. */
  findOverloads(name: string, isInMacro?: boolean): readonly Overload[] | undefined;
  /** Returns every known function for suggestions, without operators and internals of macros. */
  functionNames(): string[];
}

const signatures = [
  'authorizer.Authorizer::path(string): authorizer.PathCheck',
  'authorizer.Authorizer::group(string): authorizer.GroupCheck',
  'authorizer.Authorizer::serviceAccount(string, string): authorizer.Authorizer',
  'authorizer.GroupCheck::resource(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::subresource(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::namespace(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::name(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::fieldSelector(string): authorizer.ResourceCheck',
  'authorizer.ResourceCheck::labelSelector(string): authorizer.ResourceCheck',
  'authorizer.PathCheck::check(string): authorizer.Decision',
  'authorizer.ResourceCheck::check(string): authorizer.Decision',
  'authorizer.Decision::errored(): bool',
  'authorizer.Decision::error(): string',
  'authorizer.Decision::allowed(): bool',
  'authorizer.Decision::reason(): string',
];

/**
 * The functions of an authorizer, declared only because the type checker accepts a call of them on a value of any type.
 * Rules of a definition have no authorizer.
 */
const authorizer: Functions = Object.fromEntries(signatures.map((one) => [one, null]));

/** The functions of CEL itself. */
const plain: readonly Functions[] = [operators, conversions, times, plainStrings, matching];

/**
 * The functions that Kubernetes adds. Sets are among the lists; conversions of addresses to strings follow CEL's own.
 */
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

  findOverloads(name: string, isInMacro = false): readonly Overload[] | undefined {
    if (isInMacro && this.#inMacros !== this) return this.#inMacros.findOverloads(name);
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

/** The library of CEL rules on an API server of Kubernetes 1.36. */
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
 * Creates the library of plain cel-go with further functions. Within macros it does not enforce that numbers of
 * different types cannot be compared (cel-go v0.28.1, checker/env.go: the scope of a macro has no
 * `filteredOverloadIDs`).
 */
export function plainLibrary(functions: Functions): Library {
  const types = new Map<string, Type>();
  const tables = [...plain, functions];
  const inMacros = new Tables([...tables, operatorsAcross], types, { isExtended: false });
  return new Tables(tables, types, { isExtended: false, inMacros });
}
