import { compileGlob, compileKindGlob } from './glob.ts';
import { IN_CLUSTER as IN_CLUSTER_NAME, IN_CLUSTER_SERVER } from '../../argocd-names.ts';
import type {
  ApplicationDestination,
  AppProjectSpec,
  ClusterResourceRestrictionItem,
} from '../api/types.ts';

/** Matches an SSH address: `git@git.example.com:shop/web.git` is the same as `ssh://git@git.example.com/shop/web`. */
const SSH = /^(?:ssh:\/\/)?[^/:]*?@[^@]+$/;

/** Normalizes the address of a repository as Argo CD compares it: in lower case, without `.git`. */
export function normalizeRepository(address: string): string {
  const text = address.trim().toLowerCase();
  const isShort = SSH.test(text) && !text.startsWith('ssh://');
  const long = isShort ? text.replace(':', '/') : text;
  return long.replace(/\.git$/, '').replace(/^ssh:\/\//, '');
}

/**
 * Whether a pattern of a project matches repositories of more than one host. A pattern with `!` excludes what it
 * matches and allows everything else, on any host.
 */
export function matchesAnyHost(pattern: string): boolean {
  if (pattern.startsWith('!')) return true;
  const [, host = ''] = /^(?:[^/]*:\/\/)?([^/]*)/.exec(normalizeRepository(pattern)) ?? [];
  return /[*?[{\\]/.test(host);
}

/**
 * Whether a project with these patterns allows a repository, as Argo CD decides it.
 * Source: IsSourcePermitted in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function permitsRepository(patterns: readonly string[], address: string): boolean {
  const repository = normalizeRepository(address);
  let isPermitted = false;
  for (const pattern of patterns) {
    const isDenied = pattern.startsWith('!');
    const normalized = normalizeRepository(isDenied ? pattern.slice(1) : pattern);
    const matches =
      (!isDenied && normalized === '*') || (compileGlob(normalized, '/')?.(repository) ?? false);
    if (isDenied && matches) return false;
    if (matches || isDenied) isPermitted = true;
  }
  return isPermitted;
}

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

/** A cluster-scoped object. */
interface ClusterKind {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Whether a project allows a cluster-scoped object, as Argo CD decides it.
 * Source: IsGroupKindNamePermitted in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function permitsClusterKind(project: AppProjectSpec, one: ClusterKind): boolean {
  const { clusterResourceWhitelist = [], clusterResourceBlacklist = [] } = project;
  return (
    matchesAnyItem(one, clusterResourceWhitelist) && !matchesAnyItem(one, clusterResourceBlacklist)
  );
}

function matchesAnyItem(
  one: ClusterKind,
  list: readonly ClusterResourceRestrictionItem[],
): boolean {
  return list.some(
    ({ group, kind, name = '' }) =>
      matchesKindGlob(kind, one.kind) &&
      matchesKindGlob(group, one.group) &&
      (name === '' || matchesKindGlob(name, one.name)),
  );
}

function matchesKindGlob(pattern: string, text: string): boolean {
  return compileKindGlob(pattern)?.(text) ?? false;
}
