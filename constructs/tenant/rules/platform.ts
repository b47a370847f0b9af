import { errorAt, type Finding } from '../../../kube/finding.ts';
import { isQualifiedName } from '../../../kube/names.ts';
import { didYouMean, formatList, show, type Path } from '../../../kube/problem.ts';
import type { Peer } from '../../../crds/tenantry/network.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';
import { findConflictingFolder } from '../delegation.ts';
import { validateArgoCD } from './argocd.ts';
import { validateHooks } from './hooks.ts';
import { validateImpersonation } from './impersonation.ts';
import { listPolicyFaults } from './peers.ts';

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
