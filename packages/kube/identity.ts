import { groupOf, type KubeObject } from './object.ts';

/** Returns the unique identity of an object of a cluster: `group/Kind namespace/name`. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return identityOfNames({ ...metadata, group: groupOf(apiVersion), kind });
}

/** Returns the same identity, from the field names of a status. */
export function identityOfNames({
  group = '',
  kind,
  namespace = '',
  name,
}: {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  return `${group}/${kind} ${namespace}/${name}`;
}
