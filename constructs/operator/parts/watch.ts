import { builtinNamespaced, builtinResources } from '../../../kube/builtin-kinds.ts';
import type { Scope } from '../../../kube/builtin-kinds.ts';
import type { AccessRule } from '../../../kube/access.ts';
import { manifestOf, namespaceOf } from './names.ts';
import type { ImagelessSpec } from './spec.ts';

/** Returns the namespaces that an operator watches; undefined if it watches all. */
export function watchedNamespaces(spec: ImagelessSpec): readonly string[] | undefined {
  const { watch = { mode: 'AllNamespaces' } } = spec;
  switch (watch.mode) {
    case 'AllNamespaces':
      return undefined;
    case 'OwnNamespace':
      return [namespaceOf(spec)];
    case 'SingleNamespace':
      return [watch.namespace];
    case 'MultiNamespace':
      return watch.namespaces;
  }
}

/**
 * Restricts a rule for a namespaced kind to the watched namespaces. A rule that names its
 * namespaces stays as it is.
 */
export function restrictToWatched(
  watched: readonly string[] | undefined,
  rule: AccessRule,
  spec: ImagelessSpec,
): AccessRule {
  if (!watched || rule.namespaces || scopeOf(rule, spec) === 'Cluster') return rule;
  return { ...rule, namespaces: watched };
}

/** Returns the scope of a resource; undefined for kinds that the spec does not contain. */
export function scopeOf({ group, resource }: AccessRule, spec: ImagelessSpec): Scope | undefined {
  const [plural = ''] = resource.split('/');
  const kinds = [...(spec.owned ?? []), ...(spec.required ?? [])].map(
    (kind) => manifestOf(kind).spec,
  );
  const known = kinds.find((kind) => kind.group === group && kind.names.plural === plural);
  if (known) return known.scope;
  if (!builtinResources(group)?.has(plural)) return undefined;
  return listNamespacedResources().has(`${group}/${plural}`) ? 'Namespaced' : 'Cluster';
}

/** The namespaced resources of Kubernetes itself, as group/plural. */
let builtin: ReadonlySet<string> | undefined;

function listNamespacedResources(): ReadonlySet<string> {
  builtin ??= new Set([
    ...[...builtinNamespaced].map(
      ([kind, plural]) => `${kind.slice(0, kind.indexOf('/'))}/${plural}`,
    ),
    // Requests for these name a namespace, although nobody applies them.
    '/bindings',
    'authorization.k8s.io/localsubjectaccessreviews',
  ]);
  return builtin;
}
