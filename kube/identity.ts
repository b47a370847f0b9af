import { groupOf, type KubeObject } from './object.ts';

/** `group/Kind namespace/name`: one for each object of a cluster. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return identityOfNames({ ...metadata, group: groupOf(apiVersion), kind });
}

/** The same by the names that a status has. */
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
