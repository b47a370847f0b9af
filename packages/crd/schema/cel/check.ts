import { findNearest } from '@tenantry/kube/problem';
import { celName } from '../language/cel-rules.ts';
import {
  listChildren,
  type Call,
  type Comprehension,
  type ExpressionNode,
  type Select,
} from './expression.ts';
import { BrokenExpression, Undecided } from './failure.ts';
import { kubernetes, type Library } from './library.ts';
import { buildOverloadError, moreGeneral, Unification } from './unify.ts';
import type { Overload } from './overload.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  isSame,
  list,
  map,
  NULL,
  optional,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
  type Type,
} from './type.ts';
import { typeNameOf } from './value.ts';

type Scope = ReadonlyMap<string, Type>;

const ofValues: Readonly<Record<string, Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  int: INT,
  null_type: NULL,
  string: STRING,
  uint: UINT,
};

/** The CEL types that an expression can name: `type(self.port) == int`. */
const namedTypes: ReadonlyMap<string, Type> = new Map([
  ...Object.entries(ofValues),
  ['list', list(DYN)],
  ['map', map(DYN, DYN)],
  ['type', typeOf(DYN)],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
]);

/**
 * Infers the type of an expression. Records the type on each node, and on each call the overloads that it may use.
 * Throws BrokenExpression if types do not fit, and Undecided if only the API server can decide.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#type-checking
 */
export function checkTypes(node: ExpressionNode, variables: Scope, library = kubernetes): Type {
  new Checker(library).check(node, variables);
  return node.type!;
}

/** The maximum number of parts of an expression with macros expanded: `optMap` repeats its target. */
const MAX_PARTS = 200_000;

class Checker {
  readonly #types = new Unification();
  readonly #library: Library;
  #parts = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  check(node: ExpressionNode, scope: Scope): void {
    this.#visit(node, scope);
    this.#finish(node);
  }

  #finish(node: ExpressionNode): void {
    node.type = this.#types.resolve(node.type!, true);
    for (const child of listChildren(node)) if (child.type) this.#finish(child);
  }

  #visit(node: ExpressionNode, scope: Scope): Type {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw new Undecided(`its macros expand to more than ${MAX_PARTS} parts`);
    }
    return (node.type = this.#inferType(node, scope));
  }

  #inferType(node: ExpressionNode, scope: Scope): Type {
    switch (node.kind) {
      case 'const':
        return ofValues[typeNameOf(node.value)]!;
      case 'ident':
        return this.#ident(node.name.replace(/^\./, ''), node.at, scope);
      case 'select':
        return this.#select(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'list': {
        const items = node.items.map((item) => this.#element(item.value, item.optional, scope));
        return list(this.#join(items));
      }
      case 'map': {
        const keys = node.entries.map(({ key }) => this.#visit(key, scope));
        const values = node.entries.map((one) => this.#element(one.value, one.optional, scope));
        return map(this.#join(keys), this.#join(values));
      }
      case 'fold':
        return this.#fold(node, scope);
      case 'bind':
        return this.#visit(node.body, new Map(scope).set(node.name, this.#visit(node.init, scope)));
    }
  }

  #ident(name: string, at: number, scope: Scope): Type {
    const type = scope.get(name) ?? this.#typeNamed(name);
    if (type) return type;
    if (name === '__result__' && scope.has(IN_MACRO))
      throw new Undecided('it uses the result variable of a macro');
    const known = [...scope.keys()].filter((one) => !one.startsWith('@'));
    throw new BrokenExpression(`must be a known name, got ${suggest(name, known)}`, at);
  }

  #typeNamed(name: string): Type | undefined {
    const type = namedTypes.get(name) ?? this.#library.types.get(name);
    if (type) return typeOf(type);
    if (name.startsWith('google.')) throw new Undecided('it names a type of Protocol Buffers');
    return undefined;
  }

  #select(node: Select, scope: Scope): Type {
    const name = node.test || node.optional ? undefined : qualifiedName(node);
    if (name !== undefined && !scope.has(name.split('.', 1)[0]!)) {
      const type = this.#typeNamed(name);
      if (type) {
        node.typeNamed = name;
        return type;
      }
    }
    const field = this.#field(node, this.#types.resolve(this.#visit(node.operand, scope)));
    return node.test ? BOOL : this.#types.resolve(field);
  }

  #field(node: Select, operand: Type): Type {
    const isOptional = operand.kind === 'optional';
    const type = this.#inferField(node, isOptional ? operand.params[0]! : operand);
    return isOptional || node.optional ? optional(type) : type;
  }

  #inferField({ field, at }: Select, type: Type): Type {
    switch (type.kind) {
      case 'map':
        return type.params[1]!;
      case 'object': {
        // A field whose name CEL reserves can be written as it is, or escaped.
        const found = type.fields!.get(field) ?? type.fields!.get(keptWord(field));
        if (found) return found();
        const known = suggest(field, type.fields!.keys());
        throw new BrokenExpression(`must be a field of the object, got ${known}`, at);
      }
      case 'param':
        this.#types.tryAssign([DYN], [type]);
        return DYN;
      case 'dyn':
        return DYN;
      case 'opaque':
        throw new BrokenExpression(`must be a field, got '${field}'; a ${type.name} has none`, at);
      default:
        throw new BrokenExpression(
          `must be a field of an object or a map, got '${field}' of ${formatType(type)}`,
          at,
        );
    }
  }

  #element(node: ExpressionNode, isOptional: boolean, scope: Scope): Type {
    const type = this.#visit(node, scope);
    if (!isOptional) return type;
    if (type.kind === 'optional') return type.params[0]!;
    if (type.kind === 'dyn') return type;
    const message = `must be an optional value after '?', got ${formatType(type)}`;
    throw new BrokenExpression(message, node.at);
  }

  /**
   * Joins the types of the entries of a literal. Whether a literal contains a single type is checked once all types are
   * known.
   */
  #join(types: readonly Type[]): Type {
    let joined: Type | undefined;
    for (const type of types) {
      if (!joined) joined = type;
      else if (!this.#types.tryAssign([joined], [type])) return DYN;
      else joined = moreGeneral(joined, type);
    }
    return joined ?? this.#types.fresh();
  }

  #call(node: Call, scope: Scope): Type {
    const prefix = node.target && qualifiedName(node.target);
    const full = prefix === undefined ? undefined : `${prefix}.${node.name}`;
    // A macro that only Kubernetes has uses a variable that nobody declares: the error must name the macro.
    if (!this.#library.isExtended && node.target && !this.#library.findOverloads(node.name)) {
      const isValue = prefix === undefined || scope.has(prefix.split('.', 1)[0]!);
      throw this.#noFunction(isValue ? node.name : full!, node.at);
    }
    const args = node.args.map((arg) => this.#visit(arg, scope));
    if (full !== undefined && this.#library.findOverloads(full)) {
      node.namespaced = true;
      return this.#resolve(node, full, false, args, scope);
    }
    if (!node.target) {
      return this.#resolve(node, node.name.replace(/^\./, ''), false, args, scope);
    }
    const target = this.#visit(node.target, scope);
    return this.#resolve(node, node.name, true, [target, ...args], scope);
  }

  #resolve(node: Call, name: string, member: boolean, args: readonly Type[], scope: Scope): Type {
    const all = this.#library.findOverloads(name, scope.has(IN_MACRO));
    if (!all) throw this.#noFunction(name, node.at);
    if (name === '_&&_' || name === '_||_') return this.#logical(node, args);
    let result: Type | undefined;
    const fitting: Overload[] = [];
    for (const overload of all) {
      if (overload.member !== member) continue;
      const [type, ...params] = this.#types.instantiate([overload.result, ...overload.params]);
      if (!this.#types.tryAssign(args, params)) continue;
      fitting.push(overload);
      const own = this.#types.resolve(type!);
      if (!result) result = own;
      else if (result.kind !== 'dyn' && !isSame(own, result)) result = DYN;
    }
    if (!result) {
      const types = args.map((arg) => this.#types.resolve(arg));
      throw buildOverloadError(node, name, member, types);
    }
    node.overloads = fitting;
    return result;
  }

  #noFunction(name: string, at: number): BrokenExpression {
    const known = suggest(name, this.#library.functionNames());
    return new BrokenExpression(`must be a function, got ${known}`, at);
  }

  #logical(node: Call, args: readonly Type[]): Type {
    for (const [i, arg] of args.entries()) {
      if (this.#types.tryAssign([arg], [BOOL])) continue;
      throw new BrokenExpression(`must be bool, got ${formatType(arg)}`, node.args[i]!.at);
    }
    return BOOL;
  }

  #fold(node: Comprehension, scope: Scope): Type {
    const inner = new Map(scope).set(IN_MACRO, DYN);
    const range = this.#types.resolve(this.#visit(node.range, scope));
    const types = this.#variables(node, range);
    node.names.forEach((name, i) => inner.set(name, types[i]!));
    if (node.filter) this.#expectBool(node.filter, inner);
    if (node.fold === 'all' || node.fold === 'exists' || node.fold === 'one') {
      this.#expectBool(node.body, inner);
      return BOOL;
    }
    const body = this.#visit(node.body, inner);
    if (node.fold === 'list') return this.#types.resolve(list(body));
    if (node.fold === 'map') return this.#types.resolve(map(types[0]!, body));
    const result = map(this.#types.fresh(), this.#types.fresh());
    if (this.#types.tryAssign([body], [result])) return this.#types.resolve(result);
    throw new BrokenExpression(`must be a map, got ${formatType(body)}`, node.body.at);
  }

  /** The types of the variables of a macro: see `Comprehension`. */
  #variables(node: Comprehension, range: Type): readonly Type[] {
    const isPair = node.names.length === 2;
    switch (range.kind) {
      case 'list':
        return isPair ? [INT, range.params[0]!] : range.params;
      case 'map':
        return range.params;
      case 'param':
        this.#types.tryAssign([DYN], [range]);
        return [DYN, DYN];
      case 'dyn':
        return [DYN, DYN];
      default:
        throw new BrokenExpression(
          `must be a list or a map, got ${formatType(range)}`,
          node.range.at,
        );
    }
  }

  #expectBool(node: ExpressionNode, scope: Scope): void {
    const type = this.#visit(node, scope);
    if (this.#types.tryAssign([type], [BOOL])) return;
    throw new BrokenExpression(`must be bool, got ${formatType(type)}`, node.at);
  }
}

/** Marks the scope of a macro, which has one more variable that only the API server knows. */
const IN_MACRO = '@macro';

/** Returns `a.b.c`; undefined for an expression that does not consist of names alone. */
function qualifiedName(node: ExpressionNode): string | undefined {
  if (node.kind === 'ident') return node.name.replace(/^\./, '');
  if (node.kind !== 'select' || node.test || node.optional) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

function keptWord(field: string): string {
  const name = celName(field);
  return name === `__${field}__` ? name : '';
}

function suggest(name: string, known: Iterable<string>): string {
  const meant = findNearest(name, known);
  return meant === undefined ? `'${name}'` : `'${name}'; did you mean '${meant}'?`;
}
