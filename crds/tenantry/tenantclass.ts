import { listMap, list, set } from './bounded.ts';
import { integer, object, enumOf, required, string, type Static } from '../schema/schema.ts';
import { bindingName, policyRule } from './access.ts';
import { dnsLabel, rbacName } from '../names.ts';
import { networkCeiling, networkPreset } from './network.ts';
import { limitsPreset, quantities, quotaPreset } from './quota.ts';
import { labelSelector } from '../kubernetes.ts';
import { layerFields, settings } from './settings.ts';
import { declaredKind } from './kind.ts';

const presets = object('Named content that tenants choose from.', {
  quotas: listMap('Quota tiers.', 'name', quotaPreset),
  limits: listMap('Sets of limits.', 'name', limitsPreset),
  roles: listMap(
    'Roles.',
    'name',
    object('A role.', {
      name: required(rbacName('Its name, and that of the Role.')),
      bindingName,
      rules: required(list('What it may do.', policyRule, { minItems: 1 })),
    }),
  ),
  networks: listMap('Sets of network rules.', 'name', networkPreset),
});

const ceilings = object('What no tenant of the class passes. A value above is an error.', {
  namespaces: integer('The most namespaces of one tenant.', { minimum: 1, maximum: 1000 }),
  quota: quantities('Per namespace. A quota without the key is unlimited, and so above it.'),
  tenantQuota: quantities('For all namespaces of a tenant together.'),
  limits: quantities('The most that a LimitRange may say for a resource, in any field.'),
  podSecurity: enumOf('The most open level that may be enforced.', [
    'privileged',
    'baseline',
    'restricted',
  ]),
  network: networkCeiling,
  roles: list(
    'What Roles with rules of their own may allow: each rule has to be covered by one of these.',
    object("Allowed rules; '*' stands for all.", {
      apiGroups: required(set('The API groups.', string('A group.', { maxLength: 253 }))),
      resources: required(set('The resources.', string('A resource.', { maxLength: 253 }))),
      verbs: required(set('The verbs.', string('A verb.', { maxLength: 63 }))),
    }),
    { absent: 'every rule that is not refused to all' },
  ),
});

const allow = object('What tenants of the class may refer to.', {
  clusterRoles: set(
    'ClusterRoles that access.clusterRoles may bind; never cluster-admin.',
    rbacName('A ClusterRole.'),
    { absent: 'none but those of admins, editors and viewers' },
  ),
  clusters: set('Clusters.', dnsLabel('A cluster.'), { absent: 'every cluster' }),
  serviceAccounts: list(
    "Service accounts outside the tenant's namespaces that may be given access.",
    object('A service account.', {
      namespace: required(dnsLabel('Its namespace.')),
      name: string("Its name, or '*' for all of the namespace.", {
        minLength: 1,
        maxLength: 253,
        absent: "'*'",
      }),
    }),
    { absent: 'none' },
  ),
  resources: list(
    'Kinds that `resources` may hold. Network policies of other groups have to be named here.',
    object('A kind.', {
      group: required(
        string(
          "Its API group, '' for the core group, '*' for all but network policies of other groups.",
          { maxLength: 253 },
        ),
      ),
      kind: required(string("The kind, or '*' for all of the group.", { maxLength: 63 })),
    }),
    { absent: 'every namespaced kind but network policies of other groups' },
  ),
});

const spec = object('What tenants of the class share.', {
  description: string('For people.', { maxLength: 1024 }),
  allowedTenants: object(
    'Which tenants may choose the class.',
    {
      names: set(
        "Names of tenants; a '*' at the end stands for any rest.",
        string('A name.', {
          pattern: '^[a-z0-9][-a-z0-9]*\\*?$|^\\*$',
          maxLength: 63,
          must: "the name of a tenant, with a '*' at the end for any rest",
        }),
      ),
      selector: labelSelector,
    },
    { absent: 'every tenant' },
  ),
  roles: object('The ClusterRoles behind admins, editors and viewers.', {
    admins: rbacName('Of admins.', '`admin`'),
    editors: rbacName('Of editors.', '`edit`'),
    viewers: rbacName('Of viewers.', '`view`'),
  }),
  presets,
  defaults: settings,
  environments: listMap(
    'What is different in an environment.',
    'name',
    object('An environment.', { name: required(dnsLabel('Its name.')), ...layerFields }),
    { maxItems: 20 },
  ),
  ceilings,
  allow,
});

export const tenantClass = declaredKind({
  kind: 'TenantClass',
  plural: 'tenantclasses',
  shortNames: ['tnc'],
  categories: ['tenantry'],
  description: 'What many tenants share: presets, defaults per environment, ceilings.',
  spec,
  columns: [
    { name: 'Description', type: 'string', jsonPath: '.spec.description' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});

export type TenantClassSpec = Static<typeof spec>;
export type Ceilings = Static<typeof ceilings>;
