import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from '../findings/tenant-finding.ts';
import { isQualifiedName } from '@tenantry/kube/names';
import { didYouMean, formatList, show, type Path } from '@tenantry/kube/problem';
import type { Peer } from '../../crds/network.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { Hook } from '../../crds/types.ts';
import { findConflictingFolder } from '../delegation.ts';
import { IN_CLUSTER, resolveServer } from '../argocd-names.ts';
import { listPolicyFaults } from '@tenantry/kube/network-policy-faults';

/** Validates a platform beyond its schema. */
export function validatePlatform(spec: PlatformSpec): Finding[] {
  return [
    ...validateDefaultClusters(spec),
    ...validateDelegation(spec),
    ...validatePeers(spec),
    ...validateKeys(spec),
    ...validateHooks(spec),
    ...validateArgoCD(spec),
    ...validateImpersonation(spec),
  ];
}

function validateDefaultClusters({ clusters, defaultClusters = [] }: PlatformSpec): Finding[] {
  const names = clusters?.map(({ name }) => name);
  return defaultClusters.flatMap((name, i) => {
    if (!names || names.includes(name)) return [];
    const message = `must be one of the clusters (${formatList(names)}), got ${show(name)}`;
    return [errorAt(['spec', 'defaultClusters', i], message, 'cluster')];
  });
}

/** Reports delegated folders that can match the same folder while neither is more specific. */
function validateDelegation({ delegation }: PlatformSpec): Finding[] {
  const folders = delegation?.folders ?? [];
  return folders.flatMap(({ folder }, i) => {
    const rival = findConflictingFolder({ folders }, i);
    if (!rival) return [];
    const message = `must be more or less specific than folder ${show(rival.folder)}, got ${show(folder)}, which can match the same folder`;
    return [errorAt(['spec', 'delegation', 'folders', i, 'folder'], message, 'delegation')];
  });
}

/** Validates peers, which are copied into the network policies of all tenants. */
function validatePeers(spec: PlatformSpec): Finding[] {
  const fields = ['ingressControllers', 'monitoring', 'dns'] as const;
  const holders: readonly (readonly [Path, Pick<PlatformSpec, (typeof fields)[number]>])[] = [
    [['spec'], spec],
    ...(spec.clusters ?? []).map((cluster, i) => [['spec', 'clusters', i], cluster] as const),
  ];
  return holders.flatMap(([at, holder]) =>
    fields.flatMap((field) =>
      (holder[field] ?? []).flatMap((peer, i) =>
        listIngressFaults(peer).map((one) => {
          const message = `${one.message}${didYouMean(one.meant)}`;
          return errorAt([...at, field, i, ...one.at.slice(4)], message, 'network-policy');
        }),
      ),
    ),
  );
}

function listIngressFaults(peer: Peer) {
  return listPolicyFaults({ ingress: [{ from: [peer] }] });
}

/** Validates keys of trusted labels, and of annotations that tenants' namespaces get. */
function validateKeys({ trustedLabels = [], metadataKeys = {} }: PlatformSpec): Finding[] {
  const keys: readonly [Path, string][] = [
    ...trustedLabels.map((key, i): [Path, string] => [['spec', 'trustedLabels', i], key]),
    ...Object.entries(metadataKeys).map(([name, key]): [Path, string] => [
      ['spec', 'metadataKeys', name],
      key,
    ]),
  ];
  return keys
    .filter(([, key]) => !isQualifiedName(key))
    .map(([at, key]) =>
      errorAt(at, `must be a key such as 'example.com/name', got ${show(key)}`, 'key'),
    );
}

/** Validates the addresses that Argo CD gets: unusable ones, and those that it would misread. */
function validateArgoCD(spec: PlatformSpec): Finding[] {
  if (!spec.argocd?.source) return validateRevisions(spec);
  return [...validateRepositoryAddress(spec.argocd.source.repoURL), ...validateServers(spec)];
}

function validateRevisions({ clusters = [] }: PlatformSpec): Finding[] {
  return clusters.flatMap(({ targetRevision }, i) => {
    if (targetRevision === undefined) return [];
    const message = `must come with argocd.source, got ${show(targetRevision)} and no source`;
    return [errorAt(['spec', 'clusters', i, 'targetRevision'], message, 'argocd-source')];
  });
}

/** Validates the address, which is committed and is part of objects that many may read. */
function validateRepositoryAddress(repoURL: string): Finding[] {
  const at: Path = ['spec', 'argocd', 'source', 'repoURL'];
  if (!URL.canParse(repoURL)) return [];
  const { protocol, username, password } = new URL(repoURL);
  const isSsh = protocol === 'ssh:';
  if (password === '' && (isSsh || username === '')) return [];
  const message = `must have no ${isSsh ? '' : 'user and no '}password, which belong in a repository Secret of Argo CD`;
  return [errorAt(at, message, 'argocd-source')];
}

/**
 * Validates that clusters have different servers. Two Applications with the same objects of the same cluster would
 * fight.
 */
function validateServers({ clusters = [{ name: IN_CLUSTER }] }: PlatformSpec): Finding[] {
  const firstWith = new Map<string, string>();
  return clusters.flatMap((cluster, i) => {
    const server = resolveServer(cluster);
    if (server === undefined) {
      const message = `must be set, since argocd.source is set: Argo CD deploys to an address, got a cluster ${show(cluster.name)} without one`;
      return [errorAt(['spec', 'clusters', i, 'server'], message, 'cluster-server')];
    }
    const address = normalizeServer(server);
    const first = firstWith.get(address);
    if (first === undefined) {
      firstWith.set(address, cluster.name);
      return [];
    }
    const message = `must be another one than that of cluster ${show(first)}, got ${show(server)}`;
    return [errorAt(['spec', 'clusters', i, 'server'], message, 'cluster-server')];
  });
}

function normalizeServer(server: string): string {
  return URL.canParse(server) ? new URL(server).href.replace(/\/+$/, '') : server;
}

/**
 * Validates hooks beyond their schema. The messages do not contain addresses, because some addresses contain passwords.
 */
function validateHooks({ operator, clusters }: PlatformSpec): Finding[] {
  const known = (clusters ?? [{ name: 'in-cluster' }]).map(({ name }) => name);
  return (operator?.hooks ?? []).flatMap((hook, i) => {
    const at = ['spec', 'operator', 'hooks', i];
    const unknown = (hook.clusters ?? []).flatMap((name, j) => {
      if (known.includes(name)) return [];
      const message = `must be one of the clusters (${formatList(known)}), got ${show(name)}`;
      return [errorAt([...at, 'clusters', j], message, 'hook')];
    });
    return [...validateHookAddresses(hook, at), ...unknown];
  });
}

function validateHookAddresses({ webhook, jenkins, slack, plainHttp }: Hook, at: Path): Finding[] {
  const places: readonly (readonly [Path, string | undefined])[] = [
    [[...at, 'webhook', 'url'], webhook?.url],
    [[...at, 'jenkins', 'url'], jenkins?.url],
    [[...at, 'slack', 'url'], slack?.url],
  ];
  return places.flatMap(([path, address]) => {
    if (address === undefined) return [];
    const fault =
      findAddressFault(address, plainHttp) ?? findQueryFault(address, path.includes('webhook'));
    return fault === undefined ? [] : [errorAt(path, fault, 'hook')];
  });
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

/**
 * Validates that the accounts as which Argo CD syncs for tenants are not among the exempt identities, so that admission
 * policies apply to them.
 */
function validateImpersonation({ argocd, operator, identities }: PlatformSpec): Finding[] {
  if (argocd?.impersonation !== 'Enabled') return [];
  const namespace = operator?.namespace ?? 'tenantry-system';
  const { users = [], groups = [] } = identities ?? {};
  const isTheirs = (group: string): boolean =>
    ['system:serviceaccounts', `system:serviceaccounts:${namespace}`].includes(group) ||
    group === 'system:authenticated';
  const isOne = (user: string): boolean =>
    user.startsWith(`system:serviceaccount:${namespace}:sync.`);
  return [
    ...listRefusedNames(users, isOne, ['spec', 'identities', 'users']),
    ...listRefusedNames(groups, isTheirs, ['spec', 'identities', 'groups']),
  ];
}

function listRefusedNames(
  names: readonly string[],
  isRefused: (name: string) => boolean,
  at: Path,
) {
  return names.flatMap((name, i) => {
    if (!isRefused(name)) return [];
    const message = `must leave out the accounts as which Argo CD syncs for tenants, whom the policies would let through, got ${show(name)}`;
    return [errorAt([...at, i], message, 'argocd-impersonation')];
  });
}
