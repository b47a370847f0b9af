import { errorAt, type Finding } from '@tenantry/kube/finding';
import type { AppProjectSpec } from '../api/types.ts';
import { validateProjectFields } from './project-validity.ts';
import { show } from '@tenantry/kube/problem';
import {
  IN_CLUSTER,
  isBounded,
  permitsDestination,
  matchesAnyHost,
} from '../patterns/allow-lists.ts';
import { isLiteral } from '../patterns/glob.ts';

/** Validates an AppProject: Argo CD can use it, and it allows only what its lists show. */
export function validateProject(
  { metadata, spec }: ProjectManifest,
  opens: ReadonlySet<ProjectOpening> = new Set(),
): readonly Finding[] {
  const { name, namespace } = metadata;
  return [...validateProjectFields(name, spec), ...validateAllowLists({ spec, namespace, opens })];
}

/** The parts of an AppProject that are validated. */
interface ProjectManifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: AppProjectSpec;
}

/**
 * What a project opens explicitly. `AnyRepository`: of any host. `AnyCluster`, `AnyNamespace`: destinations by a
 * pattern without a fixed prefix. `AnyClusterKind`: cluster-scoped kinds by a pattern. `AnyNamespacedKind`: all
 * namespaced kinds, or all but some. `ArgoCdNamespace`: the namespace of Argo CD, where anyone who can write
 * Applications and projects has all rights of Argo CD. `SourceNamespaces`: Applications in namespaces other than Argo
 * CD's, although the project is privileged.
 */
export type ProjectOpening =
  | 'AnyRepository'
  | 'AnyCluster'
  | 'AnyNamespace'
  | 'AnyClusterKind'
  | 'AnyNamespacedKind'
  | 'ArgoCdNamespace'
  | 'SourceNamespaces';

/** Formats the end of a message: how to declare that something is intended. */
function formatOpeningHint(opening: ProjectOpening): string {
  return `where that is meant, say opens: ['${opening}']`;
}

/** The input for validating a project. */
interface ProjectContext {
  readonly spec: AppProjectSpec;
  /** The namespace of Argo CD, which contains the project. */
  readonly namespace: string;
  readonly opens: ReadonlySet<ProjectOpening>;
}

/** Validates that a project allows only what its lists show. */
function validateAllowLists(question: ProjectContext): Finding[] {
  return [
    ...validateRepositories(question),
    ...validateDestinations(question),
    ...validateClusterKinds(question),
    ...validateNamespacedKinds(question),
    ...validateSourceNamespaces(question),
  ];
}

function buildMissingListError(field: keyof AppProjectSpec, what: string): Finding {
  return errorAt(['spec', field], `must name ${what}, got nothing`, 'appproject-allow-list');
}

function validateRepositories({ spec, opens }: ProjectContext): Finding[] {
  const { sourceRepos = [] } = spec;
  if (sourceRepos.length === 0) return [buildMissingListError('sourceRepos', 'repositories')];
  return sourceRepos.flatMap((pattern, i) => {
    const path = ['spec', 'sourceRepos', i];
    if (/[{}]/.test(pattern)) {
      const message = `must be written out, got ${show(pattern)}: Argo CD takes braces in addresses for themselves`;
      return [errorAt(path, message, 'appproject-allow-list')];
    }
    if (!matchesAnyHost(pattern) || opens.has('AnyRepository')) return [];
    const why = pattern.startsWith('!')
      ? 'what is denied lets in every repository that it does not match'
      : 'a pattern in the host lets in repositories of anybody';
    const message = `must be repositories of one host, got ${show(pattern)}: ${why}; ${formatOpeningHint('AnyRepository')}`;
    return [errorAt(path, message, 'appproject-allow-list')];
  });
}

function validateDestinations(question: ProjectContext): Finding[] {
  const { spec, opens, namespace } = question;
  const { destinations = [] } = spec;
  if (destinations.length === 0)
    return [buildMissingListError('destinations', 'clusters and namespaces')];
  const findings = destinations.flatMap(({ server, name, namespace: to }, i) => {
    const patterns = [
      ['server', server, 'AnyCluster'],
      ['name', name, 'AnyCluster'],
      ['namespace', to, 'AnyNamespace'],
    ] as const;
    return patterns.flatMap(([field, pattern, opening]) => {
      if (pattern === undefined || isBounded(pattern) || opens.has(opening)) return [];
      const what = field === 'namespace' ? 'a namespace' : 'a cluster';
      const message = `must be ${what}, or a pattern that begins with letters of it, got ${show(pattern)}; ${formatOpeningHint(opening)}`;
      return [errorAt(['spec', 'destinations', i, field], message, 'appproject-allow-list')];
    });
  });
  if (findings.length > 0 || opens.has('ArgoCdNamespace')) return findings;
  const i = destinations.findIndex((one) =>
    permitsDestination([one], { ...IN_CLUSTER, namespace }),
  );
  if (i < 0 || !reachesArgoCd(question)) return [];
  const message = `must not be the namespace of Argo CD, got ${show(destinations[i]!.namespace)}: anyone who can write Applications and projects there has all rights of Argo CD; ${formatOpeningHint('ArgoCdNamespace')}`;
  return [
    errorAt(['spec', 'destinations', i, 'namespace'], message, 'appproject-argocd-namespace'),
  ];
}

function reachesArgoCd({ spec, namespace }: ProjectContext): boolean {
  return permitsDestination(spec.destinations ?? [], { ...IN_CLUSTER, namespace });
}

function validateClusterKinds({ spec, opens }: ProjectContext): Finding[] {
  if (opens.has('AnyClusterKind')) return [];
  return (spec.clusterResourceWhitelist ?? []).flatMap(({ group, kind }, i) => {
    if (isLiteral(group) && isLiteral(kind)) return [];
    const message = `must be a kind of a group, got ${show(kind)} of ${show(group)}: kinds outside of namespaces hold rights on the whole cluster; ${formatOpeningHint('AnyClusterKind')}`;
    return [errorAt(['spec', 'clusterResourceWhitelist', i], message, 'appproject-allow-list')];
  });
}

function validateNamespacedKinds({ spec, opens }: ProjectContext): Finding[] {
  const { namespaceResourceWhitelist: list } = spec;
  const path = ['spec', 'namespaceResourceWhitelist'];
  if (list?.length === 0) {
    const message =
      "must name kinds, got an empty list: Argo CD writes it back as none, which lets in all; for none, deny group '*' and kind '*' in namespaceResourceBlacklist";
    return [errorAt(path, message, 'appproject-allow-list')];
  }
  if (opens.has('AnyNamespacedKind') || deniesAll(spec)) return [];
  if (!list) {
    const message = `must name kinds, got nothing, which lets in all; ${formatOpeningHint('AnyNamespacedKind')}`;
    return [errorAt(path, message, 'appproject-allow-list')];
  }
  return list.flatMap(({ group, kind }, i) => {
    if (!/^[*?]+$/.test(kind) || !/^[*?]+$/.test(group)) return [];
    const message = `must be kinds of a group, got ${show(kind)} of ${show(group)}; ${formatOpeningHint('AnyNamespacedKind')}`;
    return [errorAt([...path, i], message, 'appproject-allow-list')];
  });
}

function deniesAll({ namespaceResourceBlacklist = [] }: AppProjectSpec): boolean {
  return namespaceResourceBlacklist.some(({ group, kind }) => group === '*' && kind === '*');
}

/** Finds what a project must not allow if people create its Applications in their own namespaces. */
function findPrivilege(question: ProjectContext): string | undefined {
  const { spec } = question;
  const { clusterResourceWhitelist = [], destinations = [] } = spec;
  if (clusterResourceWhitelist.length > 0) return 'kinds outside of namespaces';
  if (reachesArgoCd(question)) return 'the namespace of Argo CD';
  const isWide = destinations.some(({ namespace }) => !isBounded(namespace ?? ''));
  return isWide ? 'any namespace' : undefined;
}

function validateSourceNamespaces(question: ProjectContext): Finding[] {
  const { spec, opens } = question;
  const { sourceNamespaces = [] } = spec;
  if (opens.has('SourceNamespaces')) return [];
  const privilege = findPrivilege(question);
  return sourceNamespaces.flatMap((pattern, i) => {
    // A pattern between slashes is a regular expression.
    const isNamed = isBounded(pattern) && !pattern.startsWith('/');
    if (isNamed && privilege === undefined) return [];
    const why =
      privilege === undefined
        ? 'must begin with letters of the namespaces'
        : `must be left out of a project that lets in ${privilege}`;
    const message = `${why}, got ${show(pattern)}: anyone who can create an Application there gets what the project allows; ${formatOpeningHint('SourceNamespaces')}`;
    return [errorAt(['spec', 'sourceNamespaces', i], message, 'appproject-source-namespaces')];
  });
}
