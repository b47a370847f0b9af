import { show } from '../../kube/problem.ts';
import { resourceOf, type Kind, type ObjectName } from '../kinds/kind.ts';

/**
 * The path of one object, or of a subresource of it.
 * @throws {Error} where the name is none, or the namespace does not fit the scope of the kind: a path
 * without a name is the one of all objects
 */
export function objectPath(
  kind: Kind,
  { name, namespace }: ObjectName,
  subresource = kind.part?.subresource,
): string {
  const parts = [segment(name, `a name of ${resourceOf(kind)}`)];
  if (subresource !== undefined) {
    parts.push(segment(subresource, `a subresource of ${resourceOf(kind)}`));
  }
  return [buildBasePath(kind, namespace, 'one'), ...parts].join('/');
}

/**
 * The path of the objects of a kind: of one namespace, or of all where none is said. `of: 'one'`
 * is the path of objects that are made, or deleted together, which lie in a namespace where the kind
 * does.
 * @throws {Error} where the namespace does not fit the scope of the kind, or the objects are parts
 */
export function collectionPath(
  kind: Kind,
  namespace: string | undefined,
  of: 'one' | 'many',
): string {
  if (!kind.part) return buildBasePath(kind, namespace, of);
  const { subresource } = kind.part;
  throw new Error(`the ${subresource} of ${resourceOf(kind)} must be asked for by name`);
}

function buildBasePath(kind: Kind, namespace: string | undefined, of: 'one' | 'many'): string {
  const { group, version, plural, scope } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  if (namespace === undefined) {
    if (scope === 'Cluster' || of === 'many') return `${root}/${plural}`;
    throw new Error(`${resourceOf(kind)} lie in namespaces: metadata.namespace must be said`);
  }
  if (scope === 'Cluster') {
    throw new Error(`${resourceOf(kind)} lie in no namespace, got ${show(namespace)}`);
  }
  return `${root}/namespaces/${segment(namespace, 'a namespace')}/${plural}`;
}

/**
 * What can stand in a path: no name of Kubernetes is `.` or `..`, or has `/` or `%`
 * (apimachinery, IsValidPathSegmentName).
 */
function segment(text: string, what: string): string {
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
