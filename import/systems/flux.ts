import { groupOf } from '@tenantry/kube/object';
import type { FoundObject } from '../manifests.ts';
import type { TenancySystem } from './tenancy-system.ts';

/** The label with which `flux create tenant` marks what it makes. Flux' controllers do not read it. */
const TENANT_LABEL = 'toolkit.fluxcd.io/tenant';

/** Labels with which Flux records the Kustomization or the HelmRelease that applied an object. */
const OWNER_LABEL = /^(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace)$/;

/** Kinds for whose labels a Tenant has no field, or which the label of Tenantry marks instead. */
const marked: ReadonlySet<string> = new Set(['ServiceAccount', 'RoleBinding', 'Role']);

/** The kinds that apply objects, by the group that their labels begin with. */
const appliers = {
  'kustomize.toolkit.fluxcd.io': 'Kustomization',
  'helm.toolkit.fluxcd.io': 'HelmRelease',
} as const;

/**
 * Flux: what `flux create tenant` makes are objects as people write them, and imported like these. Only bookkeeping is
 * not declared. The label of a Namespace stays, because policies may select by it, and names the tenant. What the
 * tenant's own Kustomizations and HelmReleases apply stays theirs.
 *
 * Source: github.com/fluxcd/flux2, cmd/flux/create_tenant.go (v2.7)
 */
export const flux: TenancySystem = {
  name: 'Flux',
  kinds: [],
  translate({ namespaces, objects }, translation) {
    for (const { object } of namespaces) {
      for (const key of Object.keys(object.metadata.labels ?? {})) {
        if (OWNER_LABEL.test(key)) translation.dropKey('Flux', object.metadata.name, 'labels', key);
      }
    }
    const tenants = new Set(
      namespaces.flatMap(({ object: { metadata } }) =>
        metadata.labels?.[TENANT_LABEL] === undefined ? [] : [metadata.name],
      ),
    );
    let present: ReadonlySet<string> | undefined;
    const isPresent = (applier: string): boolean => {
      present ??= new Set(objects.map(({ object }) => nameApplier(object)));
      return present.has(applier);
    };
    for (const found of objects) {
      const owner = findApplier(found, tenants);
      if (owner !== undefined && isPresent(owner)) {
        translation.explainMade(found, `Flux applies it for the ${owner.replace(/^\S+\//, '')}`);
        continue;
      }
      const { kind, metadata } = found.object;
      const isMark = (key: string): boolean => key === TENANT_LABEL && marked.has(kind);
      translation.dropObjectKeys(
        'Flux',
        metadata.namespace ?? '',
        found,
        (key) => isMark(key) || OWNER_LABEL.test(key),
      );
    }
  },
};

/**
 * Returns the Kustomization or HelmRelease of a tenant that applied an object. One of the platform, as in `flux-system`,
 * is none: Tenantry takes over what it applied.
 */
function findApplier(
  { object: { metadata } }: FoundObject,
  tenants: ReadonlySet<string>,
): string | undefined {
  const { labels } = metadata;
  if (!labels) return undefined;
  for (const [group, kind] of Object.entries(appliers)) {
    const name = labels[`${group}/name`];
    const namespace = labels[`${group}/namespace`];
    if (name === undefined || namespace === undefined) continue;
    if (!tenants.has(namespace) && namespace !== metadata.namespace) continue;
    return `${group}/${kind} ${namespace}/${name}`;
  }
  return undefined;
}

function nameApplier({ apiVersion, kind, metadata }: FoundObject['object']): string {
  return `${groupOf(apiVersion)}/${kind} ${metadata.namespace}/${metadata.name}`;
}
