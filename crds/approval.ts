import { environmentName, list, set } from './schema-builders.ts';
import {
  boolean,
  enumOf,
  labelSelector,
  object,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { policyRule } from './access.ts';
import { named } from './named.ts';
import { limitQuantities, quantities } from './quota.ts';

/** The subjects of changes, in the order in which changes of equal risk are reported. */
export const changeAreas = [
  'data',
  'access',
  'isolation',
  'network',
  'definitions',
  'delivery',
  'quota',
  'objects',
] as const;

const alone = named(
  'MergedAlone',
  object('Changes of their tenants that owners may merge alone. All fields must match.', {
    areas: set('Areas of `tenantry plan`.', enumOf('An area.', changeAreas), {
      absent: 'all areas',
    }),
    environments: set('The environments of the namespaces.', environmentName('An environment.'), {
      absent: 'all environments',
    }),
    production: boolean('Whether the namespaces are production.', { absent: 'both' }),
    risk: required(enumOf('The highest risk.', ['low', 'medium', 'high'])),
  }),
);

const domain = string('A domain, for all names below it.', {
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$',
  maxLength: 253,
  must: "a domain such as 'apps.example.com'",
  example: 'apps.example.com',
});

/** `spec.delegation.approval` of the platform file. */
export const approval = named(
  'ApprovalSpec',
  object('Which changes `tenantry plan` lets the owners of a tenant merge without the platform.', {
    production: named(
      'ProductionNamespaces',
      object('Which namespaces are production. Either field suffices.', {
        environments: set('Their environments.', environmentName('An environment.', 'prod'), {
          absent: '`prod`, `production` and `live`',
        }),
        namespaceSelector: labelSelector(),
      }),
    ),
    alone: list('What owners may merge alone. One match suffices.', alone, {
      maxItems: 50,
      absent: 'changes of any risk outside of production, and of low and medium risk in production',
    }),
    operationsGroups: set(
      'Groups with access to the namespaces of many tenants. They are not the own groups of any.',
      string('A group.', { minLength: 1, maxLength: 253 }),
    ),
    clusterRoles: set(
      'ClusterRoles, besides `admin`, `edit` and `view`, that owners may give to their own groups and service accounts.',
      string('A ClusterRole.', { minLength: 1, maxLength: 253 }),
    ),
    roleRules: list(
      'Rights, besides those of ClusterRole `admin`, that owners may give with Roles.',
      policyRule,
    ),
    quota: quantities(
      'Per namespace. Above these values the platform must agree, below them the owners decide.',
    ),
    limits: named(
      'ApprovedLimits',
      object('Above these values of a LimitRange the platform must agree.', {
        default: limitQuantities('The default limits.'),
        defaultRequest: limitQuantities('The default requests.'),
        max: limitQuantities('The maximum.'),
      }),
    ),
    domains: set('Domains below which owners may take hosts that no other tenant has.', domain, {
      absent: 'every domain',
    }),
    annotations: set(
      "Annotations of namespaces, besides those of `metadataKeys`, that are for people; a '*' at the end matches any text.",
      string('A key.', {
        pattern: '^[^*]+\\*?$',
        maxLength: 317,
        must: "an annotation key, with a '*' at the end for any text",
        example: 'example.com/*',
      }),
    ),
    kinds: list(
      'Kinds of objects in `resources` that owners may add, change and remove.',
      named(
        'ApprovedKind',
        object('A kind.', {
          group: string('The API group; empty for the core group.', {
            maxLength: 253,
            absent: 'the core group',
          }),
          kind: required(string('The kind.', { minLength: 1, maxLength: 63 })),
        }),
      ),
      { absent: 'kinds that the namespaces of another tenant have already' },
    ),
  }),
);

export type { ApprovalSpec } from './types.ts';
