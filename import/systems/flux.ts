import type { TenancySystem } from './tenancy-system.ts';

/** The label with which `flux create tenant` marks what it makes. Flux' controllers do not read it. */
const TENANT_LABEL = 'toolkit.fluxcd.io/tenant';

/** Labels with which Flux records the Kustomization or the HelmRelease that applied an object. */
const OWNER_LABEL = /^(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace)$/;

/** Kinds for whose labels a Tenant has no field, or which the label of Tenantry marks instead. */
const marked: ReadonlySet<string> = new Set(['ServiceAccount', 'RoleBinding', 'Role']);

/**
 * Flux: what `flux create tenant` makes are objects as people write them, and imported like these. Only bookkeeping is
 * not declared. The label of a Namespace stays, because policies may select by it, and names the tenant.
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
    for (const found of objects) {
      const { kind, metadata } = found.object;
      for (const key of Object.keys(metadata.labels ?? {})) {
        const isMark = key === TENANT_LABEL && marked.has(kind);
        if (isMark || OWNER_LABEL.test(key)) translation.dropObjectKey('Flux', found, key);
      }
    }
  },
};
