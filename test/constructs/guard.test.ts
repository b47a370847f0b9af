import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { GUARD_NAME } from '../../model/policies/ownership.ts';
import { TenantGuard } from '../../constructs/tenant/admission-policies.ts';
import { resolvePlatform } from '../../model/platform.ts';

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly failurePolicy: string;
    readonly matchConstraints: {
      readonly objectSelector: object;
      readonly namespaceSelector: object;
      readonly resourceRules: readonly {
        readonly operations: readonly string[];
        readonly resources: readonly string[];
        readonly scope: string;
      }[];
    };
    readonly matchConditions: readonly { readonly expression: string }[];
    readonly validations: readonly { readonly expression: string }[];
  };
}

function guard(props: ConstructorParameters<typeof TenantGuard>[2] = {}): Policy[] {
  const chart = Testing.chart();
  new TenantGuard(chart, 'guard', props);
  return Testing.synth(chart) as Policy[];
}

const conditionsOf = ([policy]: Policy[]): string[] =>
  policy!.spec.matchConditions.map(({ expression }) => expression);

test('there is one policy with one binding that denies', () => {
  const [policy, binding, ...more] = guard();
  expect(more).toEqual([]);
  expect(policy).toMatchObject({
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: GUARD_NAME },
  });
  expect(binding).toMatchObject({
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: GUARD_NAME, validationActions: ['Deny'] },
  });
});

test('all requesters without an exemption are refused, and every request is while the policy is broken', () => {
  const { spec } = guard()[0]!;
  expect(spec.failurePolicy).toBe('Fail');
  expect(spec.validations.map(({ expression }) => expression)).toEqual(['false']);
});

test('the policy matches every object with the label of a tenant, in any namespace', () => {
  const { matchConstraints } = guard()[0]!.spec;
  expect(matchConstraints.objectSelector).toEqual({
    matchExpressions: [{ key: 'tenantry.dev/tenant', operator: 'Exists' }],
  });
  expect(matchConstraints.namespaceSelector).toEqual({});
});

test('the policy covers create, update and delete of every kind, and subresources of namespaces (CVE-2026-30963)', () => {
  const [rule, ...more] = guard()[0]!.spec.matchConstraints.resourceRules;
  expect(more).toEqual([]);
  expect(rule).toMatchObject({
    apiGroups: ['*'],
    apiVersions: ['*'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    scope: '*',
  });
  for (const resource of [
    '*',
    'namespaces/status',
    'namespaces/finalize',
    'resourcequotas/status',
  ]) {
    expect(rule!.resources).toContain(resource);
  }
});

test('Kubernetes itself, Argo CD, the operator and the identities of the platform are exempt', () => {
  const platform = resolvePlatform({
    argocd: { namespace: 'gitops' },
    operator: { namespace: 'ops' },
    identities: { users: ['break"glass'], groups: ['admins'] },
  });
  const expression = conditionsOf(guard({ platform })).find((one) => one.includes('username'))!;
  for (const name of [
    'system:apiserver',
    'system:kube-controller-manager',
    'system:serviceaccount:gitops:argocd-application-controller',
    'system:serviceaccount:ops:tenantry-operator',
    'break\\"glass',
    'admins',
  ]) {
    expect(expression).toContain(`"${name}"`);
  }
  expect(expression).not.toContain('argocd:');
  expect(expression).not.toContain('system:authenticated');
  expect(expression).not.toContain('"system:serviceaccounts"');
});

test('a cluster administrator is exempt, so that the cluster can be repaired', () => {
  const [administrator, identities, ...more] = conditionsOf(guard());
  expect(administrator).toBe("!authorizer.group('*').resource('*').check('*').allowed()");
  expect(identities).toContain('request.userInfo');
  expect(more).toEqual([]);
});

test('a list of Argo CD accounts replaces the default application controller', () => {
  const serviceAccounts = ['openshift-gitops-argocd-application-controller', 'second'];
  const platform = resolvePlatform({ argocd: { namespace: 'openshift-gitops', serviceAccounts } });
  const expression = conditionsOf(guard({ platform })).find((one) => one.includes('username'))!;
  for (const name of serviceAccounts) {
    expect(expression).toContain(`"system:serviceaccount:openshift-gitops:${name}"`);
  }
  expect(expression).not.toContain(':argocd-application-controller');
  expect(conditionsOf(guard()).join()).not.toContain('argocd-server');
});

test('Argo CD removes the guard only after confirmation', () => {
  for (const { metadata } of guard()) {
    expect(metadata).toMatchObject({
      annotations: {
        'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=confirm,Delete=confirm',
        'argocd.argoproj.io/sync-wave': '-1',
      },
    });
  }
});
