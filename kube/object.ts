/** A value of JSON, as the API server stores it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A Kubernetes object as plain data: what a manifest says, and nothing else. */
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

/** The group of an apiVersion: `apps/v1` is of `apps`, `v1` of the core group, `''`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
