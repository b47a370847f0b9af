import type { Path } from '@tenantry/kube/problem';
import { listKnownFields } from '../known-fields.ts';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import { isOrdinaryKind } from '../../../model/deployments.ts';
import { buildKindFilter, isOneKind } from './kinds.ts';
import { listForbiddenKinds, matchesKind } from './kinds.ts';
import { appProject, type AppProject, type ProjectSpec } from './project-schema.ts';
import type { ProjectTenant } from './sync-windows.ts';

/** Why a field is left, whatever its value. */
const reasons: Partial<Readonly<Record<keyof ProjectSpec, string>>> = {
  clusterResourceWhitelist:
    'Applications of a tenant have no cluster-scoped objects: declare Namespaces in the Tenant, and keep the others in an Application of the platform',
  roles:
    'roles in Argo CD are those of groups in `access`: give the group access to namespaces, and a level its actions in `argocd.roles` of the class',
  orphanedResources:
    'the operator reports undeclared objects in namespaces of tenants, and Argo CD does not',
  signatureKeys: 'the project of a tenant demands no signatures: protect the branches in Git',
  sourceIntegrity: 'the project of a tenant demands no signatures: protect the branches in Git',
  destinationServiceAccounts:
    'Argo CD syncs all Applications of a tenant as one account, by `argocd.impersonation` of the platform',
  permitOnlyProjectScopedClusters: 'a tenant is on clusters of the platform file',
};

/** Translates the fields of a project besides destinations, repositories and windows. */
export function translateRest(
  one: SystemObject<AppProject>,
  tenant: ProjectTenant,
  translation: Translation,
): void {
  const { spec } = one.content;
  for (const [field, reason] of Object.entries(reasons)) {
    if (spec[field as keyof ProjectSpec] === false) continue;
    for (const path of listFields(spec, field as keyof ProjectSpec)) one.leave(path, reason);
  }
  if (spec.permitOnlyProjectScopedClusters === false) {
    one.take(['spec', 'permitOnlyProjectScopedClusters'], 'what a project does without it');
  }
  for (const path of listFields(spec, 'clusterResourceBlacklist')) {
    one.take(path, 'the project of a tenant, which allows nothing cluster-scoped');
  }
  if (spec.description !== undefined) {
    translation.setForTenant({
      tenant: tenant.name,
      spec: { description: spec.description },
      origin: one,
      path: ['spec', 'description'],
    });
  }
  translateSourceNamespaces(one, tenant, translation);
  translateKinds(one, tenant, translation);
}

function translateSourceNamespaces(
  one: SystemObject<AppProject>,
  { name, namespaces }: ProjectTenant,
  translation: Translation,
): void {
  for (const [i, namespace] of (one.content.spec.sourceNamespaces ?? []).entries()) {
    const path = ['spec', 'sourceNamespaces', i];
    if (!namespaces.has(namespace)) {
      one.leave(path, 'people of a tenant write Applications in namespaces of the tenant only');
      continue;
    }
    translation.setForTenant({
      tenant: name,
      spec: { argocd: { sourceNamespaces: [namespace] } },
      origin: one,
      path,
      within: namespaces,
    });
  }
}

function translateKinds(
  one: SystemObject<AppProject>,
  { name, namespaces }: ProjectTenant,
  translation: Translation,
): void {
  const { spec } = one.content;
  const isAllowed = buildKindFilter(spec);
  for (const [i, kind] of (spec.namespaceResourceWhitelist ?? []).entries()) {
    const path = ['spec', 'namespaceResourceWhitelist', i];
    const [first, second] = [
      [...path, 'group'],
      [...path, 'kind'],
    ] as const;
    const become = (record: (at: Path) => void): void => [first, second].forEach(record);
    if (!isOneKind(kind)) {
      become((at) => one.leave(at, 'a tenant names each kind that is not ordinary'));
    } else if (!isAllowed(kind)) {
      become((at) => one.take(at, 'nothing, because the project also forbids it'));
    } else if (isOrdinaryKind(kind)) {
      become((at) => one.take(at, 'an ordinary kind, which every tenant may deploy'));
    } else {
      translation.setForTenant({
        tenant: name,
        spec: { argocd: { namespaceResourceWhitelist: [{ group: kind.group, kind: kind.kind }] } },
        origin: one,
        path: first,
        others: [{ origin: one, path: second }],
        within: namespaces,
      });
    }
  }
  for (const [i, kind] of (spec.namespaceResourceBlacklist ?? []).entries()) {
    const matches = matchesKind(kind);
    const isOrdinary = listForbiddenKinds((each) => !matches(each)).length > 0;
    for (const field of ['group', 'kind']) {
      const path = ['spec', 'namespaceResourceBlacklist', i, field];
      if (isOrdinary) {
        one.leave(path, 'every tenant may deploy ordinary kinds, so its repositories are left');
      } else one.take(path, 'the project of a tenant, which allows only kinds that it names');
    }
  }
}

function listFields(spec: ProjectSpec, field: keyof ProjectSpec): readonly Path[] {
  const schema = appProject.properties!['spec']!.properties![field]!;
  return listKnownFields(schema, spec[field], ['spec', field]);
}
