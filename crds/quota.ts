import { listMap, list, map } from './schema-builders.ts';
import {
  integer,
  intOrString,
  object,
  enumOf,
  required,
  string,
  dnsLabel,
  objectName,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { endDate } from './end-date.ts';
import { filledName } from './placeholders.ts';
import type { NamespaceQuota, TenantQuota } from './types.ts';
import { QUANTITY_PATTERN } from '@tenantry/kube/quantity';

/** A quota or limit cannot be negative. */
const UNSIGNED = QUANTITY_PATTERN.replace('[+-]?', '');

/** A quantity, or the word that removes the value of an earlier layer. */
export const quantity = intOrString("A quantity, or 'unlimited' for none.", {
  pattern: `${UNSIGNED}|^unlimited$`,
  minimum: 0,
  maxLength: 64,
  must: "a quantity such as '500m', '2Gi' or 10, or 'unlimited'",
  example: '2Gi',
});

const plainQuantity = intOrString('A quantity.', {
  pattern: UNSIGNED,
  minimum: 0,
  maxLength: 64,
  must: "a quantity such as '500m', '2Gi' or 10",
  example: '2Gi',
});

/** Ceilings and totals. They have no word for unlimited: an absent key is unlimited. */
export const quantities = (description: string) =>
  named('QuotaAmounts', map(description, plainQuantity));

/** Ceilings of limits. */
export const limitQuantities = (description: string) =>
  named('LimitAmounts', map(description, plainQuantity));

const hard = named(
  'QuotaAmounts',
  map(
    'The ResourceQuota per namespace: any key that Kubernetes knows. An absent key is unlimited.',
    quantity,
    { example: { pods: 50, 'requests.cpu': '4' } },
  ),
);

/** https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-scopes */
const scopeNames = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
] as const;

const QUOTA_SCOPE = 'Pods that a ResourceQuota may be about.';

const scopedQuota = named(
  'ScopedQuota',
  object('A further ResourceQuota, for some pods only.', {
    name: required(objectName('The name of the ResourceQuota.')),
    hard: required(named('QuotaAmounts', map('Its bounds.', quantity))),
    scopes: list(
      'Which pods count. Immutable in Kubernetes: change the name with it.',
      named('QuotaScope', enumOf('A scope.', scopeNames), QUOTA_SCOPE),
      { maxItems: 6 },
    ),
    scopeSelector: list(
      'Which pods count, by scope and value. Immutable in Kubernetes.',
      named(
        'QuotaScopeRequirement',
        object('A requirement.', {
          scopeName: required(named('QuotaScope', enumOf('The scope.', scopeNames), QUOTA_SCOPE)),
          operator: required(enumOf('How it compares.', ['In', 'NotIn', 'Exists', 'DoesNotExist'])),
          values: list('The values of In and NotIn.', string('A value.', { maxLength: 253 })),
        }),
      ),
      { maxItems: 16 },
    ),
  }),
);

const base = {
  preset: dnsLabel("A quota preset of the class, or 'none'; what earlier layers said is dropped."),
  name: filledName(
    'The name of the ResourceQuota, in which placeholders may stand.',
    '`tenant-quota`',
  ),
  hard,
  scoped: listMap('Further ResourceQuotas with scopes.', 'name', scopedQuota, { maxItems: 16 }),
};

const total = quantities(
  'For the whole tenant: divided over its namespaces, so that the parts add up to it exactly. ' +
    'What a namespace fixes in `hard` is taken first, the rest is shared by `weight`.',
);

const RAISED =
  'Raised amounts that end. Each applies while it is above the lasting amount of its key.';
const raisedUntil = required(endDate('of the raised amounts'));
const raisedHard = quantities('Raised amounts per namespace.');

const temporary = list(
  RAISED,
  named(
    'TemporaryQuota',
    object(
      'Amounts that are raised until a day.',
      { hard: raisedHard, until: raisedUntil },
      { atLeastOneOf: ['hard'] },
    ),
  ),
  { maxItems: 16 },
);

const tenantTemporary = list(
  RAISED,
  named(
    'TemporaryTenantQuota',
    object(
      'Amounts that are raised until a day, per namespace or for the whole tenant.',
      {
        hard: raisedHard,
        total: quantities('Raised amounts for the whole tenant.'),
        until: raisedUntil,
      },
      { atLeastOneOf: ['hard', 'total'] },
    ),
  ),
  { maxItems: 16 },
);

const weight = integer('The share of the total that this namespace gets, relative to the others.', {
  minimum: 0,
  maximum: 1000,
  absent: '1',
});

export const quota = named('EnvironmentQuota', object('What the namespaces may use.', base));
export const tenantQuota = named(
  'TenantQuota',
  object('What the namespaces may use.', { ...base, total, temporary: tenantTemporary }),
);
export const namespaceQuota = named(
  'NamespaceQuota',
  object('What the namespace may use.', { ...base, weight, temporary }),
);

export const quotaPreset = named(
  'QuotaPreset',
  object('A tier of quota.', {
    name: required(dnsLabel('Its name.')),
    hard: required(hard),
    scoped: base.scoped,
  }),
);

const perResource = (description: string) => named('LimitAmounts', map(description, quantity));

const limitItem = named(
  'LimitItem',
  object('Bounds and defaults for one type.', {
    type: required(
      enumOf('What is bounded.', [
        'Container',
        'Pod',
        'PersistentVolumeClaim',
        'openshift.io/Image',
        'openshift.io/ImageStream',
      ]),
    ),
    max: perResource('The most that one may ask for.'),
    min: perResource('The least that one may ask for.'),
    default: perResource('The limit of a container that states none.'),
    defaultRequest: perResource('The request of a container that states none.'),
    maxLimitRequestRatio: perResource('How many times its request a limit may be.'),
  }),
);

const limitItems = listMap('The items, one a type.', 'type', limitItem, { maxItems: 5 });

export const limits = named(
  'Limits',
  object('Defaults and bounds for containers, pods and volume claims.', {
    preset: dnsLabel(
      "A limits preset of the class, or 'none'; what earlier layers said is dropped.",
    ),
    name: filledName(
      'The name of the LimitRange, in which placeholders may stand.',
      '`tenant-limits`',
    ),
    items: limitItems,
  }),
);

export const limitsPreset = named(
  'LimitsPreset',
  object('A set of limits.', {
    name: required(dnsLabel('Its name.')),
    items: required(limitItems),
  }),
);

/** Amounts by arbitrary keys. */
export type Quantities = Readonly<Record<string, string | number>>;
/** The quota settings of any layer. */
export type QuotaSettings = TenantQuota & NamespaceQuota;
export type { LimitItem, ScopedQuota } from './types.ts';
