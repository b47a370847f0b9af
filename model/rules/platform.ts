import type { Finding } from '@tenantry/kube/finding';
import { isQualifiedName } from '@tenantry/kube/names';
import { didYouMean, findNearest, formatList, show, type Path } from '@tenantry/kube/problem';
import type { Peer } from '../../crds/network.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { Hook } from '../../crds/types.ts';
import { findConflictingFolder } from '../delegation.ts';
import { IN_CLUSTER, resolveServer } from '../argocd-names.ts';
import { listPolicyFaults } from '@tenantry/kube/network-policy-faults';
import { definePlatformCheck, runChecks, type PlatformCheck } from './check.ts';
import type { RuleReporter } from './context.ts';
import { findNameFault } from './grants.ts';

/** Validates a platform beyond its schema. */
export function validatePlatform(spec: PlatformSpec): Finding[] {
  return runChecks(checks, spec);
}

const defaultClusters = definePlatformCheck(['cluster'], (spec, report) => {
  const names = spec.clusters?.map(({ name }) => name);
  for (const [i, name] of (spec.defaultClusters ?? []).entries()) {
    if (!names || names.includes(name)) continue;
    const hint = didYouMean(findNearest(name, names));
    const message = `must be one of the clusters (${formatList(names)}), got ${show(name)}${hint}`;
    report(['spec', 'defaultClusters', i], message, 'cluster');
  }
});

/** The identities that the guard exempts. */
const identityNames = definePlatformCheck(['subject-name'], ({ identities }, report) => {
  for (const field of ['users', 'groups'] as const) {
    for (const [i, name] of (identities?.[field] ?? []).entries()) {
      const fault = findNameFault(name);
      if (fault !== undefined) report(['spec', 'identities', field, i], fault, 'subject-name');
    }
  }
});

/** Delegated folders that can match the same folder while neither is more specific. */
const delegation = definePlatformCheck(['delegation'], (spec, report) => {
  const folders = spec.delegation?.folders ?? [];
  for (const [i, { folder }] of folders.entries()) {
    const rival = findConflictingFolder({ folders }, i);
    if (!rival) continue;
    const message = `must be more or less specific than folder ${show(rival.folder)}, got ${show(folder)}, which can match the same folder`;
    report(['spec', 'delegation', 'folders', i, 'folder'], message, 'delegation');
  }
});

/** Peers, which are copied into the network policies of all tenants. */
const peers = definePlatformCheck(['network-policy'], (spec, report) => {
  const fields = ['ingressControllers', 'monitoring', 'dns'] as const;
  const holders: readonly (readonly [Path, Pick<PlatformSpec, (typeof fields)[number]>])[] = [
    [['spec'], spec],
    ...(spec.clusters ?? []).map((cluster, i) => [['spec', 'clusters', i], cluster] as const),
  ];
  for (const [at, holder] of holders) {
    for (const field of fields) {
      for (const [i, peer] of (holder[field] ?? []).entries()) {
        for (const one of listIngressFaults(peer)) {
          const message = `${one.message}${didYouMean(one.meant)}`;
          report([...at, field, i, ...one.at.slice(4)], message, 'network-policy');
        }
      }
    }
  }
});

function listIngressFaults(peer: Peer) {
  return listPolicyFaults({ ingress: [{ from: [peer] }] });
}

/** Keys of trusted labels, and of annotations that tenants' namespaces get. */
const keys = definePlatformCheck(['key'], ({ trustedLabels = [], metadataKeys = {} }, report) => {
  const all: readonly (readonly [Path, string])[] = [
    ...trustedLabels.map((key, i) => [['spec', 'trustedLabels', i], key] as const),
    ...Object.entries(metadataKeys).map(
      ([name, key]) => [['spec', 'metadataKeys', name], key] as const,
    ),
  ];
  for (const [at, key] of all) {
    if (isQualifiedName(key)) continue;
    report(at, `must be a key such as 'example.com/name', got ${show(key)}`, 'key');
  }
});

/**
 * Hooks beyond their schema. The messages do not contain addresses, because some addresses contain passwords.
 */
const hooks = definePlatformCheck(['hook'], ({ operator, clusters }, report) => {
  const known = (clusters ?? [{ name: 'in-cluster' }]).map(({ name }) => name);
  for (const [i, hook] of (operator?.hooks ?? []).entries()) {
    const at = ['spec', 'operator', 'hooks', i];
    checkHookAddresses(hook, at, report);
    for (const [j, name] of (hook.clusters ?? []).entries()) {
      if (known.includes(name)) continue;
      const message = `must be one of the clusters (${formatList(known)}), got ${show(name)}`;
      report([...at, 'clusters', j], message, 'hook');
    }
  }
});

function checkHookAddresses(
  { webhook, jenkins, slack, plainHttp }: Hook,
  at: Path,
  report: RuleReporter<'hook'>,
): void {
  const places: readonly (readonly [Path, string | undefined])[] = [
    [[...at, 'webhook', 'url'], webhook?.url],
    [[...at, 'jenkins', 'url'], jenkins?.url],
    [[...at, 'slack', 'url'], slack?.url],
  ];
  for (const [path, address] of places) {
    if (address === undefined) continue;
    const fault =
      findAddressFault(address, plainHttp) ?? findQueryFault(address, path.includes('webhook'));
    if (fault !== undefined) report(path, fault, 'hook');
  }
}

/**
 * Finds the problem with a query in an address. The addresses of Jenkins and Slack are base addresses, and the path of
 * a call is appended.
 */
function findQueryFault(address: string, mayHaveQuery: boolean): string | undefined {
  if (mayHaveQuery || !address.includes('?')) return undefined;
  return "must have no part after a '?', got one";
}

function findAddressFault(address: string, plainHttp = false): string | undefined {
  if (!URL.canParse(address)) return 'must be an address, got something else';
  const { protocol, username, password, hash } = new URL(address);
  if (username !== '' || password !== '') {
    return 'must have no user and no password, which belong in the Secret';
  }
  if (hash !== '') return "must have no part after a '#', got one";
  if (protocol === 'https:' || plainHttp) return undefined;
  return 'must be an https address, or plainHttp must be set (others can then read and change what is sent), got an http address';
}

/** The addresses that Argo CD gets: unusable ones, and those that it would misread. */
const argocd = definePlatformCheck(['argocd-source', 'cluster-server'], (spec, report) => {
  if (!spec.argocd?.source) return checkRevisions(spec, report);
  checkRepositoryAddress(spec.argocd.source.repoURL, report);
  checkServers(spec, report);
});

function checkRevisions(
  { clusters = [] }: PlatformSpec,
  report: RuleReporter<'argocd-source'>,
): void {
  for (const [i, { targetRevision }] of clusters.entries()) {
    if (targetRevision === undefined) continue;
    const message = `must come with argocd.source, got ${show(targetRevision)} and no source`;
    report(['spec', 'clusters', i, 'targetRevision'], message, 'argocd-source');
  }
}

/** Validates the address, which is committed and is part of objects that many may read. */
function checkRepositoryAddress(repoURL: string, report: RuleReporter<'argocd-source'>): void {
  if (!URL.canParse(repoURL)) return;
  const { protocol, username, password } = new URL(repoURL);
  const isSsh = protocol === 'ssh:';
  if (password === '' && (isSsh || username === '')) return;
  const message = `must have no ${isSsh ? '' : 'user and no '}password, which belong in a repository Secret of Argo CD`;
  report(['spec', 'argocd', 'source', 'repoURL'], message, 'argocd-source');
}

/**
 * Validates that clusters have different servers. Two Applications with the same objects of the same cluster would
 * fight.
 */
function checkServers(
  { clusters = [{ name: IN_CLUSTER }] }: PlatformSpec,
  report: RuleReporter<'cluster-server'>,
): void {
  const firstWith = new Map<string, string>();
  for (const [i, cluster] of clusters.entries()) {
    const at = ['spec', 'clusters', i, 'server'];
    const server = resolveServer(cluster);
    if (server === undefined) {
      const message = `must be set, since argocd.source is set: Argo CD deploys to an address, got a cluster ${show(cluster.name)} without one`;
      report(at, message, 'cluster-server');
      continue;
    }
    const address = normalizeServer(server);
    const first = firstWith.get(address);
    if (first === undefined) {
      firstWith.set(address, cluster.name);
      continue;
    }
    const message = `must be another one than that of cluster ${show(first)}, got ${show(server)}`;
    report(at, message, 'cluster-server');
  }
}

function normalizeServer(server: string): string {
  return URL.canParse(server) ? new URL(server).href.replace(/\/+$/, '') : server;
}

/**
 * The accounts as which Argo CD syncs for tenants, which are not among the exempt identities, so that admission
 * policies apply to them.
 */
const impersonation = definePlatformCheck(
  ['argocd-impersonation'],
  ({ argocd, operator, identities }, report) => {
    if (argocd?.impersonation !== 'Enabled') return;
    const namespace = operator?.namespace ?? 'tenantry-system';
    const { users = [], groups = [] } = identities ?? {};
    const theirs = new Set([
      'system:authenticated',
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
    ]);
    const refuse = (name: string, at: Path): void => {
      const message = `must leave out the accounts as which Argo CD syncs for tenants, whom the policies would let through, got ${show(name)}`;
      report(at, message, 'argocd-impersonation');
    };
    for (const [i, user] of users.entries()) {
      if (user.startsWith(`system:serviceaccount:${namespace}:sync.`))
        refuse(user, ['spec', 'identities', 'users', i]);
    }
    for (const [i, group] of groups.entries()) {
      if (theirs.has(group)) refuse(group, ['spec', 'identities', 'groups', i]);
    }
  },
);

/** The checks of a platform, in the order of their findings. */
const checks: readonly PlatformCheck[] = [
  defaultClusters,
  identityNames,
  delegation,
  peers,
  keys,
  hooks,
  argocd,
  impersonation,
];
