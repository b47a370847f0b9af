import type { ExpressionNode } from './expression.ts';
import { parse } from './parse.ts';
import { BoxedValue, type Value } from './value.ts';

/**
 * An expression in canonical form, without irrelevant differences: spaces, names of macro variables, the order of the
 * operands of `&&`, `||`, `==` and `!=`, and the direction of a comparison.
 */
export interface Term {
  /** Equal for terms with the same meaning. */
  readonly key: string;
  readonly op: string;
  readonly args: readonly Term[];
  readonly value?: Value;
}

/** Parses an expression to a term; throws what `parse` throws. */
export function parseTerm(text: string): Term {
  return buildTerm(parse(text), []);
}

/** Returns the operands of `&&`; otherwise the term itself. */
export const listClauses = (term: Term): readonly Term[] =>
  term.op === '_&&_' ? term.args : [term];

/** @param names the variables of the enclosing macros, the outermost first */
function buildTerm(node: ExpressionNode, names: readonly string[]): Term {
  const inner = (one: ExpressionNode): Term => buildTerm(one, names);
  switch (node.kind) {
    case 'const':
      return { key: keyOfValue(node.value), op: 'const', args: [], value: node.value };
    case 'ident': {
      const bound = names.lastIndexOf(node.name);
      return term(bound < 0 ? `ident ${node.name}` : `bound ${bound}`, []);
    }
    case 'select': {
      const how = [node.test ? 'has' : 'select', node.optional ? '?' : ''].join('');
      return term(`${how} ${node.field}`, [inner(node.operand)]);
    }
    case 'call':
      return termOfCall(node.name, node.target && inner(node.target), node.args.map(inner));
    case 'list':
      return term(
        `list ${node.items.map(({ optional }) => (optional ? '?' : '.')).join('')}`,
        node.items.map(({ value }) => inner(value)),
      );
    case 'map':
      return term(
        `map ${node.entries.map(({ optional }) => (optional ? '?' : '.')).join('')}`,
        node.entries.flatMap(({ key, value }) => [inner(key), inner(value)]),
      );
    case 'fold': {
      const within = [...names, ...node.names];
      const filter = node.filter ? [buildTerm(node.filter, within)] : [];
      const parts = [inner(node.range), buildTerm(node.body, within), ...filter];
      return term(`fold ${node.fold} ${node.names.length}`, parts);
    }
    case 'bind':
      return term('bind', [inner(node.init), buildTerm(node.body, [...names, node.name])]);
  }
}

const mirrored: Readonly<Record<string, string>> = { '_>_': '_<_', '_>=_': '_<=_' };

function termOfCall(name: string, target: Term | undefined, args: readonly Term[]): Term {
  if (!target && Object.hasOwn(mirrored, name)) return term(mirrored[name]!, args.toReversed());
  if (!target && (name === '_&&_' || name === '_||_')) return chain(name, args);
  if (!target && (name === '_==_' || name === '_!=_')) return term(name, sorted(args));
  // `self.size()` and `size(self)` are the same function.
  if (target && name === 'size' && args.length === 0) return term(name, [target]);
  return target ? term(`.${name}`, [target, ...args]) : term(name, args);
}

function chain(op: string, args: readonly Term[]): Term {
  const flat = args.flatMap((arg) => (arg.op === op ? arg.args : [arg]));
  const unique = [...new Map(sorted(flat).map((arg) => [arg.key, arg])).values()];
  return unique.length === 1 ? unique[0]! : term(op, unique);
}

function sorted(args: readonly Term[]): Term[] {
  return args.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function term(op: string, args: readonly Term[]): Term {
  return { key: `(${[op, ...args.map(({ key }) => key)].join(' ')})`, op, args };
}

function keyOfValue(value: Value): string {
  if (value instanceof BoxedValue)
    return `<${value.typeName} ${JSON.stringify(value, showBigints)}>`;
  if (value instanceof Uint8Array) return `<bytes ${[...value].join(',')}>`;
  return `<${typeof value} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}>`;
}

const showBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
