import type { Call, Comprehension, ExpressionNode } from './expression.ts';
import { BrokenExpression } from './failure.ts';

const MAY_NOT_BE_NAMED = '__result__';

/** The macros of CEL itself, by name and number of arguments. */
const plain = new Set(['all/2', 'exists/2', 'exists_one/2', 'map/2', 'map/3', 'filter/2']);

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
  const quantifier = quantifiers[name];
  // Of the two spellings, only the older one works with one variable.
  if (quantifier && args.length === 2 && name !== 'existsOne') {
    return expandOneVariable(quantifier, target, args, at);
  }
  if (quantifier && args.length === 3) return expandTwoVariables(quantifier, target, args, at);
  switch (key) {
    case 'map/2':
      return expandOneVariable('list', target, args, at);
    case 'map/3':
      return { ...expandOneVariable('list', target, [args[0]!, args[2]!], at), filter: args[1]! };
    case 'filter/2':
      return { ...expandOneVariable('list', target, [args[0]!, args[0]!], at), filter: args[1]! };
    case 'transformList/3':
    case 'transformList/4':
      return expandTwoVariables('list', target, args, at);
    case 'transformMap/3':
    case 'transformMap/4':
      return expandTwoVariables('map', target, args, at);
    case 'transformMapEntry/3':
    case 'transformMapEntry/4':
      return expandTwoVariables('entries', target, args, at);
    case 'optMap/2':
    case 'optFlatMap/2':
      return overOptional(name === 'optMap', target, args, at);
    case 'sortBy/2':
      return sortBy(target, args, at);
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
  range: ExpressionNode,
  args: readonly ExpressionNode[],
  at: number,
): Comprehension {
  return { kind: 'fold', at, fold, range, names: [variable(args[0]!)], body: args[1]! };
}

function expandTwoVariables(
  fold: Comprehension['fold'],
  range: ExpressionNode,
  args: readonly ExpressionNode[],
  at: number,
): Comprehension {
  const names = [variable(args[0]!), variable(args[1]!)] as const;
  if (names[0] === names[1]) {
    throw new BrokenExpression(`must be two names, got ${names[0]} twice`, args[1]!.at);
  }
  const filter = args.length === 4 ? args[2] : undefined;
  return { kind: 'fold', at, fold, range, names, filter, body: args.at(-1)! };
}

/** Expands `target.optMap(name, body)`: an absent value stays absent. */
function overOptional(
  wraps: boolean,
  target: ExpressionNode,
  args: readonly ExpressionNode[],
  at: number,
): ExpressionNode {
  const call = (
    name: string,
    of: ExpressionNode | undefined,
    args: readonly ExpressionNode[] = [],
  ): Call => ({
    kind: 'call',
    at,
    name,
    target: of,
    args,
  });
  const bind: ExpressionNode = {
    kind: 'bind',
    at,
    name: variable(args[0]!),
    init: call('value', target),
    body: args[1]!,
  };
  const result = wraps ? call('optional.of', undefined, [bind]) : bind;
  return call('_?_:_', undefined, [
    call('hasValue', target),
    result,
    call('optional.none', undefined),
  ]);
}

function sortBy(
  target: ExpressionNode,
  args: readonly ExpressionNode[],
  at: number,
): ExpressionNode {
  if (target.kind === 'const' || target.kind === 'map') {
    throw new BrokenExpression('must be a list to sort', target.at);
  }
  const input: ExpressionNode = { kind: 'ident', at, name: '@input' };
  const keys = expandOneVariable('list', { ...input }, args, at);
  const body: ExpressionNode = {
    kind: 'call',
    at,
    name: '@sortByKeys',
    target: input,
    args: [keys],
  };
  return { kind: 'bind', at, name: '@input', init: target, body };
}
