import { builtinNamespaced, builtinResources } from '../../../kube/builtin-kinds.ts';
import type { Scope } from '../../../kube/builtin-kinds.ts';
import type { AccessRule } from '../../../kube/access.ts';
import { manifestOf, namespaceOf } from './names.ts';
import type { ImagelessSpec } from './spec.ts';

/** The namespaces that an operator looks after; undefined where these are all. */
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
 * What a rule allows, held to the watched namespaces where its kind lies in namespaces; one that names its
 * namespaces is what it says.
 */
export function restrictToWatched(
  watched: readonly string[] | undefined,
  rule: AccessRule,
  spec: ImagelessSpec,
): AccessRule {
  if (!watched || rule.namespaces || scopeOf(rule, spec) === 'Cluster') return rule;
  return { ...rule, namespaces: watched };
}

/** Where the objects of a resource lie; undefined of kinds that the spec does not tell. */
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

/** Those of Kubernetes' own, as group/plural. */
let builtin: ReadonlySet<string> | undefined;

function listNamespacedResources(): ReadonlySet<string> {
  builtin ??= new Set([
    ...[...builtinNamespaced].map(
      ([kind, plural]) => `${kind.slice(0, kind.indexOf('/'))}/${plural}`,
    ),
    // Nobody applies them, and they are asked for in a namespace.
    '/bindings',
    'authorization.k8s.io/localsubjectaccessreviews',
  ]);
  return builtin;
}
