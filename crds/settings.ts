import { map, set } from './schema-builders.ts';
import {
  object,
  enumOf,
  annotations,
  annotationValue,
  dnsLabel,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { filledLabels, PLACEHOLDERS } from './placeholders.ts';
import { access } from './access.ts';
import { classArgoCD, namespaceArgoCD, tenantArgoCD } from './tenant-argocd.ts';
import { networkSettings } from './network.ts';
import { limits, namespaceQuota, quota, tenantQuota, type QuotaSettings } from './quota.ts';
import type { Layer, NamespaceArgoCD } from './types.ts';
import {
  disruptionBudgets,
  imagePullSecrets,
  podSecurity,
  protection,
  serviceAccounts,
} from './workload.ts';
import { resources } from './resources.ts';

/**
 * The settings of every layer: a class, an environment of it, a tenant, and one of its namespaces.
 * model/layers/merge.ts merges the layers.
 */
const common = {
  clusters: set('The clusters that get the namespaces.', dnsLabel('A cluster of the platform.'), {
    minItems: 1,
    absent: "the platform's default clusters",
  }),
  labels: filledLabels('Labels of the namespaces.'),
  annotations: annotations(`Annotations of the namespaces. ${PLACEHOLDERS}`),
  contact: map(
    'Who to talk to. Each key becomes the annotation that the platform names for it (metadataKeys). ' +
      PLACEHOLDERS,
    annotationValue(),
    { example: { team: 'Payments', channel: '#payments' } },
  ),
  access,
  limits,
  network: networkSettings,
  podSecurity,
  disruptionBudgets,
  serviceAccounts,
  imagePullSecrets,
  protection,
  resources,
};

/** The type of all these settings, which the types of the layers extend. */
export const layer = named('Layer', object('What can be said at every layer.', common));

export const lifecycle = named(
  'Lifecycle',
  enumOf(
    'Active: as declared. Suspended: everything stays, people lose their access, no new pods. ' +
      'Retired: namespaces and data stay, every declared binding goes; only then may the declaration go.',
    ['Active', 'Suspended', 'Retired'],
    { absent: '`Active`' },
  ),
);

/** How the operator handles drift; the field exists in three places. */
export const driftPolicy = (description: string, absent: string) =>
  named(
    'DriftPolicy',
    enumOf(description, ['Observe', 'Create', 'Heal'], { absent }),
    'What the operator does where the cluster is not what is declared.',
  );

/** The fields of a layer, with the quota and Argo CD settings that it may have. */
export const layerFields = { ...common, quota, argocd: namespaceArgoCD };
export const tenantLayerFields = { ...common, quota: tenantQuota, argocd: tenantArgoCD };
export const namespaceLayerFields = { ...common, quota: namespaceQuota, argocd: namespaceArgoCD };

export const tenantDefaults = named(
  'TenantDefaults',
  object('What tenants of the class have unless they say otherwise.', {
    ...tenantLayerFields,
    argocd: classArgoCD,
  }),
);

/** The settings of any layer. */
export type Settings = Layer & {
  readonly quota?: QuotaSettings;
  readonly argocd?: NamespaceArgoCD;
};
export type { Lifecycle } from './types.ts';
