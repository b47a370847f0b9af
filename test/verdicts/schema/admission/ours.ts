import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import { admitValue } from '@tenantry/crd/schema/admission';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { plain, sorted, type AdmissionVerdict } from './verdict.ts';

/** An object whose kind is known, and nothing else. */
export type OfKind = Pick<KubeObject, 'apiVersion' | 'kind'>;

/** What we say of an object of a kind in the cluster, and of an update when it takes another's place. */
export function ourVerdict(
  schema: JSONSchemaProps,
  object: OfKind,
  oldValue?: object,
): AdmissionVerdict & { readonly notChecked: readonly string[] } {
  const { apiVersion, kind } = object;
  const root = { apiVersion, kind, scope: 'Cluster' } as const;
  const options = oldValue === undefined ? { root } : { root, oldValue };
  const { value, pruned, errors, notChecked } = admitValue(schema, object, options);
  return {
    isAccepted: errors.length === 0,
    blamed: dotted(errors.map(({ path }) => path)),
    unknown: dotted(pruned),
    spec: (value as { readonly spec?: unknown }).spec,
    messages: errors.map(({ path, message }) => `${formatPath(path)} ${message}`),
    notChecked: notChecked.map(({ path, message }) => `${formatPath(path)}: ${message}`),
  };
}

function dotted(paths: readonly Path[]): string[] {
  return sorted(paths.map((path) => plain(formatPath(path))));
}
