import { Undecided } from './failure.ts';
import { DYN, isSame, type Type } from './type.ts';

/** Types that are compared or copied while the types of one expression are worked out. */
const MOST_STEPS = 2_000_000;

/** What type parameters are bound to. What was bound since a mark can be taken back. */
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

  /** Keeps all that was bound. */
  keep(): void {
    this.#before.length = 0;
  }

  /** Takes back what was bound since the last time that all was kept. */
  takeBack(): void {
    for (const [name, type] of this.#before.toReversed()) {
      if (type) this.#types.set(name, type);
      else this.#types.delete(name);
    }
    this.#before.length = 0;
  }

  /** Types can be nested so that there is no end of comparing them: `[1].map(x, {x: x}).map(x, {x: x})`. */
  count(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new Undecided('working out its types takes too long');
  }
}

/**
 * What is known of the type parameters of one expression while its types are worked out: the rules
 * by which CEL lets one type stand for another.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#gradual-type-checking
 */
export class Unification {
  readonly #bound = new Bindings();
  #made = 0;

  /** A type that nothing is known of yet. */
  fresh(): Type {
    this.#made += 1;
    return { kind: 'param', name: `#${this.#made}`, params: [] };
  }

  /** Whether each of `from` fits its counterpart of `to`; only then it binds their parameters. */
  tryAssign(from: readonly Type[], to: readonly Type[]): boolean {
    const isFitting =
      from.length === to.length && from.every((one, i) => fits(this.#bound, one, to[i]!));
    if (isFitting) this.#bound.keep();
    else this.#bound.takeBack();
    return isFitting;
  }

  /** The type with all that is known put in; `final` makes dyn of what is not known. */
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

  /** The type with its own parameters made fresh, each name once: a signature before it is used. */
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

/** The one of two types that fit each other that says less. */
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

/** Types that null fits. */
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
