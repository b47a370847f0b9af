import { allowed } from './allowed.ts';
import { listMap, list, map, set, environmentName } from './schema-builders.ts';
import {
  integer,
  object,
  enumOf,
  required,
  string,
  dnsLabel,
  rbacName,
  labelSelector,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { bindingName, policyRule, VISIBLE } from './access.ts';
import { optionalEndDate } from './end-date.ts';
import { argocdUsers } from './argocd-settings.ts';
import { hardening } from './hardening.ts';
import { networkCeiling, networkPreset } from './network.ts';
import { limitQuantities, limitsPreset, quantities, quantity, quotaPreset } from './quota.ts';
import { resourcePreset } from './resources.ts';
import { driftPolicy, layerFields, tenantDefaults } from './settings.ts';
import { defineKind } from './declared-kind.ts';
import { selfService } from './self-service.ts';

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

const podSecurityCeiling = enumOf('The most open level that may be enforced.', [
  'privileged',
  'baseline',
  'restricted',
]);

const resourceBytes = integer('The most bytes of an object in `resources`, as JSON.', {
  minimum: 1024,
  maximum: 393_216,
  absent: '`65536`',
});

const MAX_NAMESPACES = { minimum: 1, maximum: 1000 };

const terminationSeconds = integer(
  'The longest `terminationGracePeriodSeconds` of a pod: so long a node waits for it to be drained.',
  { minimum: 30, maximum: 604_800, absent: '`3600`, an hour' },
);

const ceilings = named(
  'Ceilings',
  object('What no tenant of the class passes by its own word. A value above is an error.', {
    namespaces: integer('The most namespaces of one tenant.', MAX_NAMESPACES),
    quota: quantities('Per namespace. A quota without the key is unlimited, and so above it.'),
    tenantQuota: quantities('For all namespaces of a tenant together.'),
    limits: limitQuantities('The most that a LimitRange may say for a resource, in any field.'),
    podSecurity: podSecurityCeiling,
    resourceBytes,
    terminationSeconds,
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

/** The ceilings of an exception, which may also remove the ceiling of a key. */
const exceptionalCeilings = named(
  'ExceptionalCeilings',
  object(
    "Other ceilings. A value, and the value of a key, takes the place of the class'; 'unlimited' takes the ceiling of a key away; lists are added to those of the class.",
    {
      namespaces: integer('The most namespaces.', MAX_NAMESPACES),
      quota: named('QuotaAmounts', map('Per namespace.', quantity)),
      tenantQuota: named('QuotaAmounts', map('For all namespaces together.', quantity)),
      limits: named('LimitAmounts', map('The most that a LimitRange may say.', quantity)),
      podSecurity: podSecurityCeiling,
      resourceBytes,
      terminationSeconds,
      network: networkCeiling,
      roles: list('What Roles that they write themselves may allow besides.', roleCeiling),
    },
  ),
);

const exceptions = list(
  'What single tenants may besides, and why. A tenant says itself what it takes of it.',
  named(
    'ClassException',
    object(
      'What some tenants of the class may that the others may not.',
      {
        tenants: required(
          set('The tenants, by name.', dnsLabel('A tenant.', 'treasury'), { minItems: 1 }),
        ),
        namespaces: set(
          'Their namespaces that it is for, by their whole names.',
          dnsLabel('A namespace.', 'treasury-prod'),
          { minItems: 1, absent: 'all of them' },
        ),
        reason: required(
          string('Why, for whoever asks. `tenantry check` shows it.', {
            pattern: `^[ \\n]*${VISIBLE}[ \\n\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]*$`,
            maxLength: 1024,
            must: 'a reason of visible characters, at most 1024',
            example: 'End of year batch (PLAT-1234)',
          }),
        ),
        until: optionalEndDate('of the exception'),
        ceilings: exceptionalCeilings,
        allow: allowed('What they may refer to besides. Each list is added to that of the class.'),
      },
      {
        atLeastOneOf: ['ceilings', 'allow'],
        rules: [
          {
            rule: '!(has(self.namespaces) && has(self.ceilings) && (has(self.ceilings.namespaces) || has(self.ceilings.tenantQuota)))',
            message:
              'must not be for single namespaces where it is about the number of namespaces or about all of them together (ceilings.namespaces, ceilings.tenantQuota)',
          },
        ],
      },
    ),
  ),
);

const spec = named(
  'TenantClassSpec',
  object('What tenants of the class share.', {
    description: string('For people.', { maxLength: 1024 }),
    driftPolicy: driftPolicy(
      'What the operator does about differences of tenants that do not say it themselves.',
      '`Observe`',
    ),
    extends: dnsLabel(
      'The TenantClass with which it shares what it does not say itself. That one extends none.',
      'standard',
    ),
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
          selector: labelSelector(),
        },
        { absent: 'every tenant' },
      ),
    ),
    roles: named(
      'ClassRoles',
      object('The ClusterRoles behind admins, editors, viewers, and Applications of tenants.', {
        admins: rbacName('Of admins.', '`admin`'),
        editors: rbacName('Of editors.', '`edit`'),
        viewers: rbacName('Of viewers.', '`view`'),
        applications: rbacName(
          'Of the account as which Argo CD syncs Applications of the tenant.',
          'that of editors',
        ),
      }),
    ),
    argocd: argocdUsers,
    bindingNames: map(
      'The names of RoleBindings to ClusterRoles, by ClusterRole, where no bindingName is said.',
      bindingName,
      { example: { 'cert-manager-view': '{namespace}-certificates' } },
    ),
    presets,
    defaults: tenantDefaults,
    environments: listMap(
      'What is different in an environment.',
      'name',
      named(
        'ClassEnvironment',
        object('An environment.', {
          name: required(environmentName('Its name.')),
          ...layerFields,
        }),
      ),
      { maxItems: 64 },
    ),
    ceilings,
    hardening,
    allow: allowed('What tenants of the class may refer to.'),
    exceptions,
    selfService,
  }),
);

export const tenantClass = defineKind({
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
