import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { CONCERNS, TENANT_LABEL, type Concern } from '../../model/ownership.ts';
import { TenantPolicy } from '../../constructs/tenant/admission-policies.ts';
import { ofKind, collectFindings } from './given.ts';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly matchConditions?: readonly { readonly name: string }[];
    readonly matchConstraints?: { readonly resourceRules: readonly object[] };
  };
}

function rendered(concern: Concern): readonly Rendered[] {
  const chart = Testing.chart();
  new TenantPolicy(chart, 'policy', { concern });
  return Testing.synth(chart) as Rendered[];
}

/** The name of each policy, and the requests that it covers: group/resource and operations. */
const policies: Readonly<Record<Concern, readonly [name: string, ...asked: string[]]>> = {
  names: [
    'names',
    '*/* CREATE',
    '*/pods/eviction CREATE',
    'apps/deployments/scale UPDATE',
    'apps/statefulsets/scale UPDATE',
    'apps/replicasets/scale UPDATE',
    '/replicationcontrollers/scale UPDATE',
    'autoscaling/horizontalpodautoscalers UPDATE',
    'autoscaling.k8s.io/verticalpodautoscalers UPDATE',
    'autoscaling.gke.io/multidimpodautoscalers UPDATE',
    'keda.sh/scaledobjects UPDATE',
    'argoproj.io/rollouts UPDATE',
    'flagger.app/canaries UPDATE',
  ],
  roleBindings: ['role-bindings', 'rbac.authorization.k8s.io/rolebindings CREATE UPDATE'],
  networkPolicies: ['network-policies', 'networking.k8s.io/networkpolicies CREATE UPDATE'],
  services: ['services', '/services CREATE UPDATE'],
  tokenSecrets: ['token-secrets', '/secrets CREATE UPDATE'],
  tokens: ['tokens', '/serviceaccounts/token CREATE'],
  pods: ['pods', '/pods CREATE UPDATE'],
  disruptionBudgets: ['disruption-budgets', 'policy/poddisruptionbudgets CREATE UPDATE'],
  templates: [
    'templates',
    'apps/deployments CREATE UPDATE',
    'apps/statefulsets CREATE UPDATE',
    'apps/daemonsets CREATE UPDATE',
    'apps/replicasets CREATE UPDATE',
    'batch/jobs CREATE UPDATE',
    'batch/cronjobs CREATE UPDATE',
    '/pods CREATE UPDATE',
    '/podtemplates CREATE UPDATE',
    '/replicationcontrollers CREATE UPDATE',
    'resource.k8s.io/resourceclaimtemplates CREATE UPDATE',
    '/persistentvolumeclaims CREATE',
    'resource.k8s.io/resourceclaims CREATE',
  ],
};

test.each(CONCERNS)(
  "%s applies in tenants' namespaces, fails closed, and is removed only after confirmation",
  (concern) => {
    const [policy, binding, ...more] = rendered(concern);
    expect(more).toEqual([]);
    const [short, ...asked] = policies[concern];
    const name = `tenant-${short}.tenantry.dev`;
    const annotations = {
      'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=confirm,Delete=confirm',
      'argocd.argoproj.io/sync-wave': '-1',
    };
    expect(policy).toMatchObject({
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name, annotations },
      spec: { failurePolicy: 'Fail' },
    });
    const { namespaceSelector, objectSelector, resourceRules } = policy!.spec.matchConstraints as {
      namespaceSelector: object;
      objectSelector?: object;
      resourceRules: readonly Record<string, readonly string[]>[];
    };
    expect(namespaceSelector).toEqual({
      matchExpressions: [
        { key: TENANT_LABEL, operator: 'Exists' },
        { key: `policy.tenantry.dev/${short}`, operator: 'NotIn', values: ['Disabled'] },
      ],
    });
    expect(objectSelector ?? {}).toEqual({});
    const found = resourceRules.flatMap(
      ({ apiGroups, resources, operations, apiVersions, scope }) => {
        expect([apiVersions, scope]).toEqual([['*'], 'Namespaced']);
        return resources!.flatMap((resource) =>
          apiGroups!.map((group) => `${group}/${resource} ${operations!.join(' ')}`),
        );
      },
    );
    expect(found).toEqual(asked);
    expect(policy!.spec).not.toHaveProperty('paramKind');
    const conditions = policy!.spec.matchConditions!.map((one) => one.name);
    expect(conditions).toEqual(['not-an-administrator', 'not-an-exempt-identity']);
    expect(binding).toMatchObject({
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name, annotations },
      spec: { policyName: name, validationActions: ['Deny'] },
    });
    expect(Object.keys(binding!.spec).toSorted()).toEqual(['policyName', 'validationActions']);
  },
);

test('a class disables each policy by itself, with a label that no tenant sets', () => {
  const labelsOf = (klass: object) =>
    Object.entries(
      (ofKind({ klass }, 'Namespace')[0]!.metadata as { labels: Record<string, string> }).labels,
    ).filter(([key]) => key.startsWith('policy.'));
  expect(labelsOf({})).toEqual([]);
  for (const concern of CONCERNS) {
    const label = `policy.tenantry.dev/${policies[concern][0]}`;
    expect(labelsOf({ selfService: { [concern]: { policy: 'Disabled' } } })).toEqual([
      [label, 'Disabled'],
    ]);
    expect(labelsOf({ selfService: { [concern]: { policy: 'Enforced' } } })).toEqual([]);
    expect(collectFindings({ tenant: { labels: { [label]: 'Disabled' } } })).toEqual([
      expect.stringContaining('is reserved for Tenantry'),
    ]);
  }
});
