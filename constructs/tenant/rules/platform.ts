import { errorAt, type Finding } from '../../../kube/finding.ts';
import { isQualifiedName } from '../../../kube/names.ts';
import { didYouMean, listed, show, type Path } from '../../../kube/problem.ts';
import type { Peer } from '../../../crds/tenantry/network.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';
import { rivalOf } from '../delegation.ts';
import { argocdFindings } from './argocd.ts';
import { hookFindings } from './hooks.ts';
import { impersonationFindings } from './impersonation.ts';
import { policyFaults } from './peers.ts';

/** What is wrong with a platform that its schema lets through. */
export function platformFindings(spec: PlatformSpec): Finding[] {
  return [
    ...unknownClusters(spec),
    ...rivals(spec),
    ...peerFindings(spec),
    ...keyFindings(spec),
    ...hookFindings(spec),
    ...argocdFindings(spec),
    ...impersonationFindings(spec),
  ];
}

function unknownClusters({ clusters, defaultClusters = [] }: PlatformSpec): Finding[] {
  const names = clusters?.map(({ name }) => name);
  return defaultClusters.flatMap((name, i) => {
    if (!names || names.includes(name)) return [];
    const message = `must be one of the clusters (${listed(names)}), got ${show(name)}`;
    return [errorAt(['spec', 'defaultClusters', i], message, 'cluster')];
  });
}

/** Folders of the delegation that can be the same one, and neither is the more specific. */
function rivals({ delegation }: PlatformSpec): Finding[] {
  const folders = delegation?.folders ?? [];
  return folders.flatMap(({ folder }, i) => {
    const rival = rivalOf({ folders }, i);
    if (!rival) return [];
    const message = `must be more or less specific than folder ${show(rival.folder)}, got ${show(folder)}, which can match the same folder`;
    return [errorAt(['spec', 'delegation', 'folders', i, 'folder'], message, 'delegation')];
  });
}

/** Peers go into the network policies of all tenants as they are. */
function peerFindings(spec: PlatformSpec): Finding[] {
  const fields = ['ingressControllers', 'monitoring', 'dns'] as const;
  const holders: readonly (readonly [Path, Pick<PlatformSpec, (typeof fields)[number]>])[] = [
    [['spec'], spec],
    ...(spec.clusters ?? []).map((cluster, i) => [['spec', 'clusters', i], cluster] as const),
  ];
  return holders.flatMap(([at, holder]) =>
    fields.flatMap((field) =>
      (holder[field] ?? []).flatMap((peer, i) =>
        faultsOf(peer).map((one) => {
          const message = `${one.message}${didYouMean(one.meant)}`;
          return errorAt([...at, field, i, ...one.at.slice(4)], message, 'network-policy');
        }),
      ),
    ),
  );
}

function faultsOf(peer: Peer) {
  return policyFaults({ ingress: [{ from: [peer] }] });
}

/** Keys of labels that are trusted, and of annotations that tenants' namespaces get. */
function keyFindings({ trustedLabels = [], metadataKeys = {} }: PlatformSpec): Finding[] {
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
