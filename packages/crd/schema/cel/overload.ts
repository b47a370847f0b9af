import {
  BOOL,
  BYTES,
  CIDR,
  DOUBLE,
  DURATION,
  DYN,
  FORMAT,
  INT,
  IP,
  list,
  map,
  NULL,
  optional,
  param,
  QUANTITY,
  SEMVER,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
  URL_TYPE,
  type Type,
} from './type.ts';
import { ListValue } from './collection.ts';
import { typeNameOf, type Value } from './value.ts';

/** One signature of a function. */
export interface Overload {
  readonly function: string;
  /** Whether it is called on its first parameter: `'a'.size()`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /**
   * Applies the function. Returns undefined if the values do not have the types of the parameters. Type parameters are
   * not checked, and of a list only the first item is. Throws a Failure if CEL has no result.
   */
  apply(args: readonly Value[]): Value | undefined;
}

/**
 * Implementations by signature: `{ 'string::startsWith(string): bool': (a, b) => ... }`. `null` declares a signature
 * for the type checker only: no value fits it, or the plan evaluates it itself.
 */
export type Functions = Readonly<Record<string, ((...args: never[]) => Value) | null>>;

/**
 * Parses a table into overloads. The type before `::` is the target of a member function; a capital letter is a type
 * parameter.
 */
export function overloads(table: Functions): Overload[] {
  return Object.entries(table).map(([signature, call]) => {
    const [, receiver, name, args, result] = signaturePattern.exec(signature)!;
    const types = splitTypes(args!);
    const params = (receiver ? [receiver, ...types] : types).map(parseType);
    return {
      function: name!,
      member: receiver !== undefined,
      params,
      result: parseType(result!),
      apply: (values) => {
        if (call === null || values.length !== params.length) return undefined;
        for (let i = 0; i < params.length; i += 1) {
          if (!fits(params[i]!, values[i]!)) return undefined;
        }
        return call(...(values as never[]));
      },
    };
  });
}

const signaturePattern = /^(?:([\w<>., ]+)::)?([^(]+)\((.*)\): (.+)$/;

const isOpen = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'param';

/**
 * Reports whether a value fits a type, as cel-go's `IsAssignableRuntimeType` does. For `flatten`, the only function on
 * lists of lists, no item is checked.
 */
function fits(type: Type, value: Value): boolean {
  if (isOpen(type)) return true;
  if (type.name !== typeNameOf(value)) return false;
  const [item] = type.params;
  if (item === undefined || isOpen(item) || item.kind === 'list') return true;
  return !(value instanceof ListValue) || value.size === 0 || fits(item, value.at(0));
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i += 1) {
    if (text[i] === '<') depth += 1;
    else if (text[i] === '>') depth -= 1;
    else if (i === text.length || (text[i] === ',' && depth === 0)) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts.filter(Boolean);
}

const named: Readonly<Record<string, Type | undefined>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  int: INT,
  string: STRING,
  uint: UINT,
  null: NULL,
  duration: DURATION,
  timestamp: TIMESTAMP,
  dyn: DYN,
  quantity: QUANTITY,
  url: URL_TYPE,
  ip: IP,
  cidr: CIDR,
  format: FORMAT,
  semver: SEMVER,
};

/** Parses the type from a signature: `list<string>`. */
export function parseType(text: string): Type {
  const open = text.indexOf('<');
  if (open < 0) {
    const known = named[text];
    if (known) return known;
    return text.length === 1 ? param(text) : { kind: 'opaque', name: text, params: [] };
  }
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  switch (text.slice(0, open)) {
    case 'list':
      return list(params[0]!);
    case 'map':
      return map(params[0]!, params[1]!);
    case 'type':
      return typeOf(params[0]!);
    default:
      return optional(params[0]!);
  }
}
