import { listMap, list, set } from './bounded.ts';
import {
  integer,
  object,
  enumOf,
  required,
  string,
  dnsLabel,
  rbacName,
  labelSelector,
} from '../../schema/language.ts';
import { named } from './named.ts';
import { bindingName, policyRule } from './access.ts';
import { hardening } from './hardening.ts';
import { networkCeiling, networkPreset } from './network.ts';
import { limitQuantities, limitsPreset, quantities, quotaPreset } from './quota.ts';
import { resourcePreset } from './resources.ts';
import { layerFields, settings } from './settings.ts';
import { declaredKind } from './declaredkind.ts';
import { selfService } from './selfservice.ts';

const presets = named(
  'Presets',
  object('Named content that tenants choose from.', {
    quotas: listMap('Quota tiers.', 'name', quotaPreset),
    limits: listMap('Sets of limits.', 'name', limitsPreset),
    roles: listMap(
      'Roles.',
      'name',
      named(
        'RolePreset',
        object('A role.', {
          name: required(rbacName('Its name, and that of the Role.')),
          bindingName,
          rules: required(list('What it may do.', policyRule, { minItems: 1 })),
        }),
      ),
    ),
    networks: listMap('Sets of network rules.', 'name', networkPreset),
    resources: listMap('Objects of one shape.', 'name', resourcePreset),
  }),
);

const word = (pattern: string, must: string, example: string) =>
  string('One of them.', { pattern, maxLength: 253, must, example });

const roleCeiling = named(
  'RoleCeiling',
  object(
    "What may be allowed: all that a ClusterRole of Kubernetes allows, or what is named here. '*' stands for what is ordinary, and never for Secrets, for subresources that act or are written, nor for what ClusterRole `admin` lacks.",
    {
      clusterRole: enumOf(
        'A ClusterRole of Kubernetes, as Kubernetes installs it, without what others aggregate to it.',
        ['admin', 'edit', 'view'],
      ),
      apiGroups: set(
        "The API groups; '' is the core group. '*' stands for those of Kubernetes, and for reading in others.",
        named(
          'ApiGroup',
          word(
            '^(\\*|[a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$',
            "an API group, '' for the core group, or '*'",
            'cert-manager.io',
          ),
        ),
        { minItems: 1 },
      ),
      resources: set(
        "The resources, in the plural, with a subresource as `pods/exec`. '*' stands for all but Secrets, and for reading their `status`, `scale` and `log`; `*/scale` for the subresource of all.",
        named(
          'ResourceName',
          word(
            '^(\\*|[a-z0-9]([-a-z0-9.]*[a-z0-9])?)(/[a-z0-9]([-a-z0-9]*[a-z0-9])?)?$',
            "a resource in lower-case plural such as 'pods' or 'pods/exec', '*', or '*/scale' (a '*' after the slash means nothing to Kubernetes)",
            'deployments/scale',
          ),
        ),
        { minItems: 1 },
      ),
      verbs: set(
        "The verbs. '*' stands for get, list, watch, create, update, patch, delete and deletecollection.",
        named('Verb', word('^(\\*|[a-z]+)$', "a verb in lower case, or '*'", 'get')),
        { minItems: 1 },
      ),
    },
    {
      rules: [
        {
          rule: 'has(self.clusterRole) ? !has(self.apiGroups) && !has(self.resources) && !has(self.verbs) : has(self.apiGroups) && has(self.resources) && has(self.verbs)',
          message: 'must have either a clusterRole, or apiGroups, resources and verbs',
        },
      ],
    },
  ),
);

const ceilings = named(
  'Ceilings',
  object('What no tenant of the class passes. A value above is an error.', {
    namespaces: integer('The most namespaces of one tenant.', { minimum: 1, maximum: 1000 }),
    quota: quantities('Per namespace. A quota without the key is unlimited, and so above it.'),
    tenantQuota: quantities('For all namespaces of a tenant together.'),
    limits: limitQuantities('The most that a LimitRange may say for a resource, in any field.'),
    podSecurity: enumOf('The most open level that may be enforced.', [
      'privileged',
      'baseline',
      'restricted',
    ]),
    network: networkCeiling,
    roles: list(
      'What Roles that tenants write themselves may allow: each right has to be covered by one of these.',
      roleCeiling,
      {
        absent:
          "what Kubernetes' ClusterRoles allow that a tenant may bind anyway: `admin`, unless `roles` puts others behind admins",
      },
    ),
  }),
);

const openKeys = (description: string) =>
  list(
    description,
    named(
      'OpenKey',
      object('A key, and the values that it may have.', {
        key: required(
          string("The key; with a '*' at the end every key that begins so.", {
            pattern:
              '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/([A-Za-z0-9][-A-Za-z0-9_.]*)?\\*$',
            maxLength: 317,
            must: "a key such as 'example.com/team', or 'example.com/*' for all that begin so",
            example: 'example.com/*',
          }),
        ),
        values: set('Its values.', string('A value.', { maxLength: 1024 }), { absent: 'any' }),
      }),
    ),
    {
      absent:
        '`app.kubernetes.io/name`, `version`, `component` and `part-of`; `team`, `owner`, `project`, `component`, `purpose`, `description`',
    },
  );

const allow = named(
  'Allowed',
  object('What tenants of the class may refer to.', {
    labels: openKeys(
      'Labels that tenants may set on their namespaces. In the domains of those who read Git (kubernetes.io, argoproj.io, ...) also on their objects, where all other keys are free.',
    ),
    annotations: openKeys(
      'Annotations that tenants may set on their namespaces; on objects as for labels.',
    ),
    clusterRoles: set(
      'ClusterRoles that access.clusterRoles may bind; never cluster-admin.',
      rbacName('A ClusterRole.'),
      { absent: 'none but those of admins, editors and viewers' },
    ),
    clusters: set('Clusters.', dnsLabel('A cluster.'), { absent: 'every cluster' }),
    serviceAccounts: list(
      "Service accounts outside the tenant's namespaces that may be given access.",
      named(
        'AllowedServiceAccount',
        object('A service account.', {
          namespace: required(dnsLabel('Its namespace.')),
          name: string("Its name, or '*' for all of the namespace.", {
            minLength: 1,
            maxLength: 253,
            absent: "'*'",
          }),
        }),
      ),
      { absent: 'none' },
    ),
    resources: list(
      "Kinds that `resources` may hold. '*' stands for what is ordinary: of Kubernetes' own kinds those that its role `admin` may create, of other groups all but network policies and Argo CD's own, which have to be named.",
      named(
        'AllowedKind',
        object('A kind.', {
          group: required(
            string("Its API group, '' for the core group, '*' for every group.", {
              maxLength: 253,
            }),
          ),
          kind: required(string("The kind, or '*' for all of the group.", { maxLength: 63 })),
        }),
      ),
      { absent: 'every ordinary kind' },
    ),
  }),
);

const spec = named(
  'TenantClassSpec',
  object('What tenants of the class share.', {
    description: string('For people.', { maxLength: 1024 }),
    allowedTenants: named(
      'AllowedTenants',
      object(
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
    ),
    roles: named(
      'ClassRoles',
      object('The ClusterRoles behind admins, editors and viewers.', {
        admins: rbacName('Of admins.', '`admin`'),
        editors: rbacName('Of editors.', '`edit`'),
        viewers: rbacName('Of viewers.', '`view`'),
      }),
    ),
    presets,
    defaults: settings,
    environments: listMap(
      'What is different in an environment.',
      'name',
      named(
        'ClassEnvironment',
        object('An environment.', { name: required(dnsLabel('Its name.')), ...layerFields }),
      ),
      { maxItems: 20 },
    ),
    ceilings,
    hardening,
    allow,
    selfService,
  }),
);

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

export type { Ceilings, TenantClassSpec } from './types.ts';
