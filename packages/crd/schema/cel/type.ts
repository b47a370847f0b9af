/** A CEL type. Two object types are the same only if they are the same instance; their contents do not matter. */
export interface Type {
  readonly kind: Kind;
  /** The name in messages and in `type(value)`. */
  readonly name: string;
  readonly params: readonly Type[];
  /** The type of a field of an object, by its CEL name; undefined where there is none. */
  readonly fields?: ReadonlyMap<string, () => Type>;
}

type Kind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'int'
  | 'string'
  | 'uint'
  | 'null'
  | 'duration'
  | 'timestamp'
  | 'dyn'
  | 'list'
  | 'map'
  | 'type'
  | 'param'
  | 'optional'
  | 'opaque'
  | 'object';

const simple = (kind: Kind, name: string = kind): Type => ({ kind, name, params: [] });

export const BOOL = simple('bool');
export const BYTES = simple('bytes');
export const DOUBLE = simple('double');
export const INT = simple('int');
export const STRING = simple('string');
export const UINT = simple('uint');
export const NULL = simple('null', 'null_type');
export const DURATION = simple('duration', 'google.protobuf.Duration');
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp');
export const DYN = simple('dyn');

/** The types that Kubernetes adds. The network types do not allow null, unlike the others. */
export const QUANTITY = simple('opaque', 'kubernetes.Quantity');
export const URL_TYPE = simple('opaque', 'kubernetes.URL');
export const IP = simple('opaque', 'net.IP');
export const CIDR = simple('opaque', 'net.CIDR');
export const FORMAT = simple('opaque', 'kubernetes.NamedFormat');
export const SEMVER = simple('opaque', 'kubernetes.Semver');

export const list = (item: Type): Type => ({ kind: 'list', name: 'list', params: [item] });
export const map = (key: Type, value: Type): Type => ({
  kind: 'map',
  name: 'map',
  params: [key, value],
});
export const optional = (value: Type): Type => ({
  kind: 'optional',
  name: 'optional_type',
  params: [value],
});
export const typeOf = (type: Type): Type => ({ kind: 'type', name: 'type', params: [type] });
export const param = (name: string): Type => simple('param', name);

/** Formats a type, such as `list(string)`. */
export function formatType(type: Type): string {
  const name = type.kind === 'param' ? 'dyn' : type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(formatType).join(', ')})`;
}

/** Whether two types are the same, including their parameters. */
export function isSame(a: Type, b: Type): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.kind !== 'object' &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((one, i) => isSame(one, b.params[i]!))
  );
}
