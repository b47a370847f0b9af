import type { Bind, Call, Comprehension, ExpressionNode } from './expression.ts';
import { BrokenExpression } from './failure.ts';

const MAY_NOT_BE_NAMED = '__result__';

/** The macros of CEL itself, by name and number of arguments. */
const plain = new Set(['all/2', 'exists/2', 'exists_one/2', 'map/2', 'map/3', 'filter/2']);

/** A call that may be of a macro. */
interface MacroCall {
  readonly name: string;
  readonly target: ExpressionNode;
  readonly args: readonly ExpressionNode[];
  readonly at: number;
}

/**
 * Expands a macro call: `has`, `all`, `exists` ... of CEL, those with two variables, `optMap`, `optFlatMap` and
 * `sortBy`. Returns undefined for a function.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#cel-community-libraries
 *
 * @param isExtended with those that Kubernetes adds to CEL's own
 */
export function expandMacro(
  name: string,
  target: ExpressionNode | undefined,
  args: readonly ExpressionNode[],
  at: number,
  isExtended: boolean,
): ExpressionNode | undefined {
  if (!target) return name === 'has' && args.length === 1 ? has(args[0]!, at) : undefined;
  const key = `${name}/${args.length}`;
  if (!isExtended && !plain.has(key)) return undefined;
  const call: MacroCall = { name, target, args, at };
  const [first, second, third] = args;
  const quantifier = quantifiers[name];
  // Of the two spellings, only the older one works with one variable.
  if (quantifier && args.length === 2 && name !== 'existsOne') {
    return expandOneVariable(quantifier, call, second!);
  }
  if (quantifier && args.length === 3) return expandTwoVariables(quantifier, call);
  switch (key) {
    case 'map/2':
      return expandOneVariable('list', call, second!);
    case 'map/3':
      return { ...expandOneVariable('list', call, third!), filter: second! };
    case 'filter/2':
      return { ...expandOneVariable('list', call, first!), filter: second! };
    case 'transformList/3':
    case 'transformList/4':
      return expandTwoVariables('list', call);
    case 'transformMap/3':
    case 'transformMap/4':
      return expandTwoVariables('map', call);
    case 'transformMapEntry/3':
    case 'transformMapEntry/4':
      return expandTwoVariables('entries', call);
    case 'optMap/2':
    case 'optFlatMap/2':
      return expandOptional(call);
    case 'sortBy/2':
      return expandSortBy(call);
    default:
      return undefined;
  }
}

const quantifiers: Readonly<Record<string, Comprehension['fold'] | undefined>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'one',
  existsOne: 'one',
};

function has(arg: ExpressionNode, at: number): ExpressionNode {
  if (arg.kind === 'select' && !arg.optional) return { ...arg, at, test: true };
  throw new BrokenExpression('must be a field, such as has(self.name)', arg.at);
}

function variable(node: ExpressionNode): string {
  if (node.kind !== 'ident' || node.name.startsWith('.')) {
    throw new BrokenExpression('must be a name for the variable of the macro', node.at);
  }
  if (node.name === MAY_NOT_BE_NAMED) {
    throw new BrokenExpression(`must be a name other than ${MAY_NOT_BE_NAMED}`, node.at);
  }
  return node.name;
}

function expandOneVariable(
  fold: Comprehension['fold'],
  { target, args, at }: MacroCall,
  body: ExpressionNode,
): Comprehension {
  return { kind: 'fold', at, fold, range: target, names: [variable(args[0]!)], body };
}

function expandTwoVariables(
  fold: Comprehension['fold'],
  { target, args, at }: MacroCall,
): Comprehension {
  const names = [variable(args[0]!), variable(args[1]!)] as const;
  if (names[0] === names[1]) {
    throw new BrokenExpression(`must be two names, got ${names[0]} twice`, args[1]!.at);
  }
  const filter = args.length === 4 ? args[2] : undefined;
  return { kind: 'fold', at, fold, range: target, names, filter, body: args.at(-1)! };
}

/** Expands `target.optMap(name, body)`: an absent value stays absent. */
function expandOptional({ name, target, args, at }: MacroCall): ExpressionNode {
  const call = (name: string, target?: ExpressionNode, args: readonly ExpressionNode[] = []) =>
    ({ kind: 'call', at, name, target, args }) satisfies Call;
  const init = call('value', target);
  const bind: Bind = { kind: 'bind', at, name: variable(args[0]!), init, body: args[1]! };
  const result = name === 'optMap' ? call('optional.of', undefined, [bind]) : bind;
  return call('_?_:_', undefined, [call('hasValue', target), result, call('optional.none')]);
}

function expandSortBy({ name, target, args, at }: MacroCall): Bind {
  if (target.kind === 'const' || target.kind === 'map') {
    throw new BrokenExpression('must be a list to sort', target.at);
  }
  const input: ExpressionNode = { kind: 'ident', at, name: '@input' };
  const keys = expandOneVariable('list', { name, target: { ...input }, args, at }, args[1]!);
  const body: Call = { kind: 'call', at, name: '@sortByKeys', target: input, args: [keys] };
  return { kind: 'bind', at, name: '@input', init: target, body };
}
