import { IN_CLUSTER as IN_CLUSTER_NAME, IN_CLUSTER_SERVER } from '../../tenant/argocd-names.ts';
import type { ApplicationDestination } from '../api/types.ts';
import { compileGlob } from './glob.ts';

/** The cluster that Argo CD runs on, as Argo CD names it. */
export const IN_CLUSTER = { server: IN_CLUSTER_SERVER, name: IN_CLUSTER_NAME } as const;

/**
 * Whether a project with these destinations allows objects there, as Argo CD decides it.
 * Source: isDestinationMatched in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function permitsDestination(
  destinations: readonly ApplicationDestination[],
  to: ApplicationDestination,
): boolean {
  const { server = '', name = '', namespace = '' } = to;
  let isPermitted = false;
  for (const item of destinations) {
    const isName = name !== '' && matches(item.name, name);
    const isServer = server !== '' && matches(item.server, server);
    const isNamespace = matches(item.namespace, namespace);
    if ((isServer || isName) && isNamespace) isPermitted = true;
    else if (!isName && isNegated(item.name)) return false;
    else if (!isServer && isNegated(item.server) && isNamespace) return false;
    else if (!isNamespace && isNegated(item.namespace) && isServer) return false;
  }
  return isPermitted;
}

/** Whether a pattern bounds what it allows by a prefix, such as `shop-*`. */
export function isBounded(pattern: string): boolean {
  const text = pattern.replace(/^[a-z]+:\/\//, '');
  if (isNegated(text)) return false;
  return listAlternatives(text).every((one) => !/^[*?[{\\]/.test(one));
}

function matches(pattern = '', text: string): boolean {
  if (isNegated(pattern)) return !(compileGlob(pattern.slice(1))?.(text) ?? false);
  return pattern === '*' || (compileGlob(pattern)?.(text) ?? false);
}

function isNegated(pattern: string | undefined): boolean {
  return pattern?.startsWith('!') ?? false;
}

/** Lists the alternatives of the braces with which a text begins. */
function listAlternatives(text: string): readonly string[] {
  const [, inner] = /^\{([^{}]*)\}/.exec(text) ?? [];
  return inner === undefined ? [text] : inner.split(',');
}
