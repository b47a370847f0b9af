import { show } from '@tenantry/kube/problem';
import { resourceOf, type Kind, type ObjectName } from '../kinds/kind.ts';
import type { Call } from '../connection/call.ts';
import { Pod } from '../kinds/core.ts';
import type { PodLogOptions } from './client.ts';

/**
 * Returns the path of one object, or of a subresource of it. A path without a name would be that of all objects.
 * @throws {Error} if the name is invalid, or the namespace does not fit the scope of the kind
 */
export function buildObjectPath(
  kind: Kind,
  { name, namespace }: ObjectName,
  subresource = kind.part?.subresource,
): string {
  const parts = [encodeSegment(name, `a name of ${resourceOf(kind)}`)];
  if (subresource !== undefined) {
    parts.push(encodeSegment(subresource, `a subresource of ${resourceOf(kind)}`));
  }
  return [buildBasePath(kind, namespace, 'one'), ...parts].join('/');
}

/**
 * Returns the path of the objects of a kind: in one namespace, or in all if none is given. `of: 'one'` is the path for
 * creating objects or deleting a collection, which requires a namespace if the kind is namespaced.
 * @throws {Error} if the namespace does not fit the scope of the kind, or the kind is a subresource
 */
export function buildCollectionPath(
  kind: Kind,
  namespace: string | undefined,
  of: 'one' | 'many',
): string {
  if (!kind.part) return buildBasePath(kind, namespace, of);
  const { subresource } = kind.part;
  throw new Error(`the ${subresource} of ${resourceOf(kind)} must be requested by name`);
}

function buildBasePath(kind: Kind, namespace: string | undefined, of: 'one' | 'many'): string {
  const { group, version, plural, scope } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  if (namespace === undefined) {
    if (scope === 'Cluster' || of === 'many') return `${root}/${plural}`;
    throw new Error(`${resourceOf(kind)} are namespaced: metadata.namespace must be set`);
  }
  if (scope === 'Cluster') {
    throw new Error(`${resourceOf(kind)} are not namespaced, got ${show(namespace)}`);
  }
  return `${root}/namespaces/${encodeSegment(namespace, 'a namespace')}/${plural}`;
}

/**
 * Encodes a path segment. Names in Kubernetes are never `.` or `..` and contain neither `/` nor `%` (apimachinery,
 * IsValidPathSegmentName).
 */
function encodeSegment(text: string, what: string): string {
  if (
    typeof text !== 'string' ||
    text === '' ||
    text === '.' ||
    text === '..' ||
    /[/%]/.test(text)
  ) {
    throw new Error(
      `${what} must have no / and no %, and not be empty, . or .., got ${show(text)}`,
    );
  }
  return encodeURIComponent(text);
}

/** The subresource of a pod with its log. */
export const LOG = 'log';

/** Returns the call that reads the log of a pod. The log comes as text, an error as JSON. */
export function buildPodLogCall(
  pod: ObjectName,
  options: PodLogOptions,
  { follow }: { readonly follow: boolean },
) {
  const { container, previous, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  const since = { sinceSeconds, sinceTime: sinceTime?.toISOString() };
  const part = { previous, ...since, tailLines, limitBytes, timestamps: options.timestamps };
  return {
    method: 'GET',
    path: buildObjectPath(Pod, pod, LOG),
    resource: `${Pod.plural}/${LOG}`,
    query: { container, ...part, follow: follow || undefined },
    accept: 'application/json, */*',
    signal: options.signal,
  } as const satisfies Call;
}
