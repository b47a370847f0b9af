import { toProblem } from '@tenantry/kube/finding';
import { InvalidInput, show } from '@tenantry/kube/problem';
import { isDate } from '@tenantry/kube/time';
import type { Peer } from '../crds/network.ts';
import { platform as kind, type PlatformSpec } from '../crds/platform.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { IN_CLUSTER } from './argocd-names.ts';
import { validateComparedKinds, resolveComparedKinds } from './compared-kinds.ts';
import type { KnownDefinition, Platform } from './declaration.ts';
import { resolveDelegation } from './delegation.ts';
import { validatePlatform } from './rules/platform.ts';

const selectNamespace = (name: string, podLabels?: Record<string, string>): Peer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
  ...(podLabels && { podSelector: { matchLabels: podLabels } }),
});

const defaultPeers = {
  ingressControllers: [selectNamespace('ingress-nginx')],
  monitoring: [selectNamespace('monitoring')],
  dns: [selectNamespace('kube-system', { 'k8s-app': 'kube-dns' })],
};

/**
 * Fills in the defaults of the platform file: one cluster `in-cluster` (Argo CD's name for its own), the class
 * `default`, Argo CD in `argocd` with its application controller, the observe-only operator in `tenantry-system`,
 * ingress controllers in `ingress-nginx`, monitoring in `monitoring`, DNS as kubeadm installs it, TenantClasses in the
 * folder `classes`.
 *
 * @example
 * ```ts
 * import { resolvePlatform } from 'tenantry';
 *
 * const platform = resolvePlatform({ clusters: [{ name: 'eu1' }] });
 * console.log(platform.defaultClusters); // [ 'eu1' ]
 * ```
 *
 * @param date the day for which is rendered, as `2027-01-31` in UTC. @default - not known: no declaration may have an end
 * date
 * @throws {InvalidInput} for what the platform file may not contain either
 * @throws {RangeError} for a date that does not exist
 */
export function resolvePlatform(spec: PlatformSpec = {}, date?: string): Platform {
  if (date !== undefined && !isDate(date)) {
    throw new RangeError(`date must be a day such as '2027-01-31', got ${show(date)}`);
  }
  const faults = validate(kind.spec, spec, ['spec']);
  const found =
    faults.length > 0 ? faults : [...validatePlatform(spec), ...validateComparedKinds(spec)];
  if (found.length > 0) throw new InvalidInput(found.map((finding) => toProblem(finding)));
  return { ...applyPlatformDefaults(spec), ...(date !== undefined && { date }) };
}

/** Fills in the defaults of a spec that is already validated, with the definitions of its `crdFiles`. */
export function applyPlatformDefaults(
  spec: PlatformSpec,
  definitions: readonly KnownDefinition[] = [],
): Platform {
  const argocdNamespace = spec.argocd?.namespace ?? 'argocd';
  const operatorNamespace = spec.operator?.namespace ?? 'tenantry-system';
  const clusters = (spec.clusters ?? [{ name: IN_CLUSTER }]).map((cluster) => ({
    ...cluster,
    ingressControllers:
      cluster.ingressControllers ?? spec.ingressControllers ?? defaultPeers.ingressControllers,
    monitoring: cluster.monitoring ?? spec.monitoring ?? defaultPeers.monitoring,
    dns: cluster.dns ?? spec.dns ?? defaultPeers.dns,
    dnsPorts: cluster.dnsPorts ?? spec.dnsPorts ?? [53],
  }));
  const { crdFiles: _files, delegation: _folders, ...declared } = spec;
  return {
    declared,
    clusters,
    defaultClusters: spec.defaultClusters ?? [clusters[0]!.name],
    defaultClass: spec.defaultClass ?? 'default',
    ...(spec.environments && { environments: spec.environments }),
    protectedNamespaces: [
      'default',
      'kube-*',
      operatorNamespace,
      argocdNamespace,
      ...(spec.protectedNamespaces ?? []),
    ],
    releasedNamespaces: spec.releasedNamespaces ?? [],
    externalNamespaces: spec.externalNamespaces ?? [],
    trustedLabels: spec.trustedLabels ?? [],
    delegation: resolveDelegation(spec.delegation),
    metadataKeys: spec.metadataKeys ?? {
      team: 'tenantry.dev/team',
      channel: 'tenantry.dev/channel',
      source: 'tenantry.dev/source',
      owner: 'tenantry.dev/owner',
    },
    identities: { users: spec.identities?.users ?? [], groups: spec.identities?.groups ?? [] },
    argocdNamespace,
    ...(spec.argocd?.source && { argocdSource: { path: 'dist', ...spec.argocd.source } }),
    argocdServiceAccounts: spec.argocd?.serviceAccounts ?? ['argocd-application-controller'],
    ...(spec.argocd?.groupsPrefix && { argocdGroupsPrefix: spec.argocd.groupsPrefix }),
    ...(spec.argocd?.impersonation && { argocdImpersonation: spec.argocd.impersonation }),
    ...(spec.argocd?.serverSideDiff && { argocdServerSideDiff: spec.argocd.serverSideDiff }),
    operatorNamespace,
    driftPolicy: spec.operator?.driftPolicy ?? 'Observe',
    operatorMonitoring: {
      labels: {},
      dashboard: false,
      tenantSeries: true,
      ...spec.operator?.monitoring,
    },
    comparedKinds: resolveComparedKinds(spec),
    kinds: new Map((spec.kinds ?? []).map((kind) => [`${kind.group}/${kind.kind}`, kind.scope])),
    definitions: new Map(definitions.map((one) => [`${one.group}/${one.kind}`, one])),
    resourceSchemas: spec.resourceSchemas ?? 'Refuse',
  };
}
