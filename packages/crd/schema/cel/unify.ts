import { Undecided, BrokenExpression } from './failure.ts';
import { DYN, isSame, type Type, formatType } from './type.ts';
import type { Call } from './expression.ts';

/** The maximum number of types that are compared or copied during the type inference of one expression. */
const MAX_STEPS = 2_000_000;

/** The bindings of type parameters. Bindings that were added after a mark can be reverted. */
class Bindings {
  readonly #types = new Map<string, Type>();
  readonly #before: (readonly [name: string, type: Type | undefined])[] = [];
  #steps = 0;

  get(name: string): Type | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: Type): void {
    this.#before.push([name, this.#types.get(name)]);
    this.#types.set(name, type);
  }

  /** Commits all bindings. */
  keep(): void {
    this.#before.length = 0;
  }

  /** Reverts all bindings since the last commit. */
  takeBack(): void {
    for (const [name, type] of this.#before.toReversed()) {
      if (type) this.#types.set(name, type);
      else this.#types.delete(name);
    }
    this.#before.length = 0;
  }

  /** Counts a step. Types can be nested so that comparing them never ends: `[1].map(x, {x: x}).map(x, {x: x})`. */
  count(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new Undecided('working out its types takes too long');
  }
}

/**
 * The unification of types during the type inference of one expression. It keeps the bindings of type parameters and
 * applies CEL's rules for which type is assignable to which.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#gradual-type-checking
 */
export class Unification {
  readonly #bound = new Bindings();
  #made = 0;

  /** Returns a type variable without any binding. */
  fresh(): Type {
    this.#made += 1;
    return { kind: 'param', name: `#${this.#made}`, params: [] };
  }

  /** Whether each of `from` is assignable to its counterpart in `to`. Binds their parameters only in that case. */
  tryAssign(from: readonly Type[], to: readonly Type[]): boolean {
    const isFitting =
      from.length === to.length && from.every((one, i) => fits(this.#bound, one, to[i]!));
    if (isFitting) this.#bound.keep();
    else this.#bound.takeBack();
    return isFitting;
  }

  /** Substitutes all known bindings in a type; `final` replaces unbound parameters by dyn. */
  resolve(type: Type, final = false): Type {
    this.#bound.count();
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound) return this.resolve(bound, final);
      return final ? DYN : type;
    }
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((one) => this.resolve(one, final)) };
  }

  /** Replaces the parameters of a signature by fresh ones, one for each name, before the signature is used. */
  instantiate(types: readonly Type[]): Type[] {
    const made = new Map<string, Type>();
    const visit = (type: Type): Type => {
      if (type.kind === 'param') {
        const known = made.get(type.name) ?? this.fresh();
        made.set(type.name, known);
        return known;
      }
      return type.params.length === 0 ? type : { ...type, params: type.params.map(visit) };
    };
    return types.map(visit);
  }
}

/** Returns the more general of two types that are assignable to each other. */
export function moreGeneral(a: Type, b: Type): Type {
  return isAsGeneral(a, b) ? a : b;
}

function isAsGeneral(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.params.length === 0) return isSame(a, b);
  return a.name === b.name && a.params.every((one, i) => isAsGeneral(one, b.params[i]!));
}

/** The kinds of types that allow null. */
const nullable = new Set(['optional', 'opaque', 'object', 'duration', 'timestamp', 'null']);

function fits(bound: Bindings, a: Type, b: Type): boolean {
  bound.count();
  if (b.kind === 'param') {
    const { valid, known } = binds(bound, a, b);
    if (valid) return true;
    if (known) return false;
  }
  if (a.kind === 'param') return binds(bound, b, a).valid;
  if (a.kind === 'dyn' || b.kind === 'dyn') return true;
  if (a.kind === 'null') return nullable.has(b.kind);
  if (b.kind === 'null') return nullable.has(a.kind);
  if (a.kind !== b.kind || a.kind === 'type') return a.kind === b.kind;
  if (a.params.length === 0) return isSame(a, b);
  return a.name === b.name && a.params.every((one, i) => fits(bound, one, b.params[i]!));
}

function binds(bound: Bindings, type: Type, param: Type): { valid: boolean; known: boolean } {
  if (isSame(type, param)) return { valid: true, known: true };
  const known = bound.get(param.name);
  if (known === undefined) {
    const valid = !mentions(bound, type, param);
    if (valid) bound.set(param.name, type);
    return { valid, known: false };
  }
  if (isSame(type, known)) return { valid: true, known: true };
  if (!fits(bound, type, known)) return { valid: false, known: true };
  const general = moreGeneral(type, known);
  if (!mentions(bound, general, param)) bound.set(param.name, general);
  return { valid: true, known: true };
}

function mentions(bound: Bindings, type: Type, param: Type): boolean {
  bound.count();
  if (isSame(type, param)) return true;
  if (type.kind !== 'param') return type.params.some((one) => mentions(bound, one, param));
  const known = bound.get(type.name);
  return known !== undefined && mentions(bound, known, param);
}

/** Builds the error for a call whose argument types no overload accepts; operators are shown as written. */
export function buildOverloadError(
  node: Call,
  name: string,
  member: boolean,
  args: readonly Type[],
): BrokenExpression {
  const types = args.map(formatType);
  const sign = /^_?([^\w@[]+)_$/.exec(name)?.[1] ?? (name === '@in' ? 'in' : undefined);
  const written =
    sign !== undefined
      ? (types.length === 1 ? [sign + types[0]] : types).join(` ${sign} `)
      : name === '_[_]' || name === '_[?_]'
        ? `${types[0]}[${types[1]}]`
        : name === '_?_:_'
          ? `${types[0]} ? ${types[1]} : ${types[2]}`
          : member
            ? `${types[0]}.${name}(${types.slice(1).join(', ')})`
            : `${name}(${types.join(', ')})`;
  return new BrokenExpression(`must be of types that go together, got ${written}`, node.at);
}
