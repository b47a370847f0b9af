import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allowsPriority } from '../../model/classes/allowances.ts';
import { builtinNamespaced, isNonPersisted } from '@tenantry/kube/builtin-kinds';
import { countKey, listCountKeyAliases } from '@tenantry/kube/quota-keys';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { namesOf, ofKind, specOf, collectFindings, type Given } from './given.ts';

interface Quota {
  readonly hard: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: {
    readonly matchExpressions: readonly {
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
}

const quotaOf = (given: Given, name: string): Quota | undefined =>
  specOf<Quota | undefined>(
    ofKind(given, 'ResourceQuota').find(({ metadata }) => metadata.name === name),
  );
const objects = (given: Given = {}) => quotaOf(given, 'tenant-objects')?.hard;
const quota = (spec: NonNullable<TenantSpec['quota']>): Given => ({ tenant: { quota: spec } });

const open: TenantClassSpec = {
  allow: {
    crossNamespaceAffinity: 'Allow',
    priorityClasses: ['*', 'system-cluster-critical', 'system-node-critical'],
    uncountedObjects: 'Allow',
  },
};

test('separate quotas limit pods with cross-namespace affinity or high priority to none', () => {
  expect(quotaOf({}, 'tenant-affinity')).toEqual({
    hard: { pods: '0' },
    scopes: ['CrossNamespacePodAffinity'],
  });
  expect(quotaOf({}, 'tenant-priority')).toEqual({
    hard: { pods: '0' },
    scopeSelector: {
      matchExpressions: [
        {
          scopeName: 'PriorityClass',
          operator: 'In',
          values: ['system-cluster-critical', 'system-node-critical'],
        },
      ],
    },
  });
});

test('a class may allow each of them, and then its tenants have only their own quota', () => {
  expect(namesOf(ofKind({ klass: open }, 'ResourceQuota'))).toEqual(['tenant-quota']);
  const none = { klass: open, ...quota({ preset: 'none' }) };
  expect(ofKind(none, 'ResourceQuota')).toEqual([]);
});

test('an exception allows them for one tenant and does not affect the others', () => {
  const exceptions = [
    {
      tenants: ['acme'],
      reason: 'node agent',
      allow: { priorityClasses: ['system-node-critical'] },
    },
    {
      tenants: ['acme'],
      reason: 'spread',
      allow: { crossNamespaceAffinity: 'Allow', uncountedObjects: 'Allow' } as const,
    },
  ];
  const klass = { exceptions };
  expect(namesOf(ofKind({ klass }, 'ResourceQuota'))).toEqual(['tenant-quota', 'tenant-priority']);
  const { scopeSelector } = quotaOf({ klass }, 'tenant-priority')!;
  expect(scopeSelector?.matchExpressions[0]?.values).toEqual(['system-cluster-critical']);
  expect(ofKind({ klass, name: 'other' }, 'ResourceQuota')).toHaveLength(4);
});

/**
 * Evaluates a selector of priority classes as Kubernetes does. Source: k8s.io/kubernetes
 * podMatchesSelector
 */
function selects({ scopeSelector }: Quota, priority: string | undefined): boolean {
  return scopeSelector!.matchExpressions.every(({ operator, values = [] }) => {
    if (operator === 'Exists') return priority !== undefined;
    if (operator === 'In') return priority !== undefined && values.includes(priority);
    return priority === undefined || !values.includes(priority);
  });
}

const priority = fc.constantFrom(
  'batch',
  'gold',
  'system-cluster-critical',
  'system-node-critical',
);

test('the quota selects exactly the pods of PriorityClasses that the class does not allow', () => {
  const allowed = fc.option(
    fc.uniqueArray(fc.oneof(priority, fc.constant('*')), { maxLength: 4 }),
    {
      nil: undefined,
    },
  );
  fc.assert(
    fc.property(allowed, fc.option(priority, { nil: undefined }), (priorityClasses, one) => {
      const klass = priorityClasses ? { allow: { priorityClasses } } : {};
      const found = quotaOf({ klass }, 'tenant-priority');
      const refused = found !== undefined && selects(found, one);
      expect(refused).toBe(one !== undefined && !allowsPriority(klass, one));
    }),
    runs(100),
  );
});

test('tenants keep their own scoped quotas under other names', () => {
  const scoped = [{ name: 'gold', hard: { pods: 1 }, scopeSelector: goldPods }];
  expect(namesOf(ofKind(quota({ scoped }), 'ResourceQuota'))).toEqual([
    'tenant-quota',
    'gold',
    'tenant-objects',
    'tenant-affinity',
    'tenant-priority',
  ]);
  const taken = [{ name: 'tenant-priority', hard: { pods: 1 }, scopeSelector: goldPods }];
  expect(collectFindings(quota({ scoped: taken }))).toEqual([
    "spec.quota.scoped must have a name of its own, got ResourceQuota 'tenant-priority', which the platform already gives",
  ]);
  expect(collectFindings({ klass: open, ...quota({ scoped: taken }) })).toEqual([]);
});

const goldPods = [{ scopeName: 'PriorityClass', operator: 'In', values: ['gold'] } as const];

test('a scoped quota for pods that the class never allows is reported as useless', () => {
  const critical = [
    { scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] } as const,
  ];
  const crossing = [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' } as const];
  const scoped = (scopeSelector: typeof critical | typeof crossing, klass: TenantClassSpec = {}) =>
    collectFindings({
      klass,
      ...quota({ scoped: [{ name: 'own', hard: { pods: 5 }, scopeSelector }] }),
    });
  expect(scoped(critical)).toEqual([
    "warning spec.quota.scoped must be for pods that class standard lets in (allow.priorityClasses) to be of use, got 'own'",
  ]);
  expect(scoped(crossing)).toEqual([
    "warning spec.quota.scoped must be for pods that class standard lets in (allow.crossNamespaceAffinity) to be of use, got 'own'",
  ]);
  expect(scoped(critical, open)).toEqual([]);
  expect(scoped(crossing, open)).toEqual([]);
});

/** Kinds that nobody creates in the namespaces of tenants, or that no quota counts. */
const uncounted = new Set([
  'count/events',
  'count/events.events.k8s.io',
  // Users write neither with Kubernetes' default roles.
  'count/limitranges',
  'count/resourcequotas',
]);

test('a quota counts the objects of every namespaced built-in kind', () => {
  const hard = { ...quotaOf({}, 'tenant-quota')!.hard, ...objects() };
  const missing = [...builtinNamespaced].flatMap(([id, plural]) => {
    const [group = '', kind = ''] = id.split('/');
    const key = countKey(group, plural);
    if (isNonPersisted(group, kind) || uncounted.has(key)) return [];
    return listCountKeyAliases(key).some((one) => Object.hasOwn(hard, one)) ? [] : [key];
  });
  expect(missing).toEqual([]);
});

test('any value that a layer sets for a kind replaces the default count', () => {
  expect(objects()).toMatchObject({ secrets: '200', 'count/leases.coordination.k8s.io': '50' });
  for (const key of ['secrets', 'count/secrets']) {
    for (const value of [1000, 'unlimited']) {
      expect(objects(quota({ hard: { [key]: value } }))).not.toHaveProperty(['secrets']);
      const presets = { quotas: [{ name: 'big', hard: { [key]: value } }] };
      const chosen = { klass: { presets }, ...quota({ preset: 'big' }) };
      expect(objects(chosen)).not.toHaveProperty(['secrets']);
    }
  }
  const total = quota({ total: { secrets: 1000 } });
  expect(objects(total)).not.toHaveProperty(['secrets']);
});

test('a preset replaces the quota, and keeps the counts that it does not set', () => {
  const presets = { quotas: [{ name: 'big', hard: { pods: 1000 } }] };
  const chosen = { klass: { presets }, ...quota({ preset: 'big' }) };
  expect(objects(chosen)).toMatchObject({
    secrets: '1000',
    'count/deployments.apps': '250',
    'count/pods': '4000',
  });
});

test('counts of objects that controllers create follow those of their owners', () => {
  expect(objects(quota({ hard: { 'count/deployments.apps': 300 } }))).toMatchObject({
    'count/replicasets.apps': '3600',
  });
  expect(objects(quota({ hard: { services: 500 } }))).toMatchObject({
    'count/endpointslices.discovery.k8s.io': '2000',
    'count/endpoints': '1000',
  });
  const free = objects(quota({ hard: { 'count/deployments.apps': 'unlimited' } }));
  expect(free).not.toHaveProperty(['count/replicasets.apps']);
  expect(free).toHaveProperty(['count/controllerrevisions.apps']);
});

test('without a bound on pods there is none on finished pods', () => {
  expect(objects()).toHaveProperty(['count/pods'], '200');
  expect(objects(quota({ preset: 'none' }))).not.toHaveProperty(['count/pods']);
});

test('a namespace always has room for its declared objects, whatever the counts', () => {
  const resources = Array.from({ length: 150 }, (_, i) => ({
    manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` } },
  }));
  expect(objects({ tenant: { resources: resources.slice(0, 90) } })).toHaveProperty(
    'configmaps',
    '200',
  );
  const many: Given = { tenant: { resources: resources.slice(0, 75) } };
  const twice = { ...many, klass: { defaults: { resources: resources.slice(75) } } };
  expect(objects(twice)).toHaveProperty(['configmaps'], '300');
});

test("a bound on quotas covers the tenant's own, and is rendered with room for the platform's", () => {
  const one = quota({ hard: { resourcequotas: 1 } });
  expect(collectFindings(one)).toEqual([]);
  expect(quotaOf(one, 'tenant-quota')!.hard).toHaveProperty(['resourcequotas'], '4');
  expect(quotaOf({ klass: open, ...one }, 'tenant-quota')!.hard).toHaveProperty(
    'resourcequotas',
    '1',
  );
  expect(collectFindings(quota({ hard: { resourcequotas: 0 } }))).toEqual([
    'spec.quota.hard.resourcequotas must be at least 1 for resourcequotas, which namespace acme has from the start, got 0',
  ]);
});

test('a namespace that is not Active has bounds too', () => {
  const suspended: Given = { tenant: { lifecycle: 'Suspended' } };
  expect(namesOf(ofKind(suspended, 'ResourceQuota'))).toHaveLength(4);
});
