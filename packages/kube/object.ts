/** A JSON value, as the API server stores it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A Kubernetes object as plain data: the content of a manifest, and nothing else. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Returns the group of an apiVersion: `apps` for `apps/v1`, and `''` (the core group) for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

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
