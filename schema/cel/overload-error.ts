import type { Call } from './expression.ts';
import { BrokenExpression } from './failure.ts';
import { formatType, type Type } from './type.ts';

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
