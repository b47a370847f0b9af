import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { validate } from '@tenantry/crd/schema/validate';
import type { PolicyRule } from '../../crds/access.ts';
import { tenant } from '../../crds/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { bindingsOf, ofKind, collectFindings, type Given } from './given.ts';

const rule = (group: string, resource: string, ...verbs: string[]): PolicyRule => ({
  apiGroups: [group],
  resources: [resource],
  verbs,
});

const beyondAdmin =
  "spec.access.roles[0].rules[0] must be within what Kubernetes' ClusterRole admin allows, since class standard has no ceilings.roles, got";

const own = (...rules: PolicyRule[]): Given => ({
  tenant: { access: { roles: [{ name: 'own', rules }] } },
});

test.each([
  ['bind', 'rbac.authorization.k8s.io', 'roles'],
  ['escalate', 'rbac.authorization.k8s.io', 'roles'],
  ['impersonate', '', 'serviceaccounts'],
])('a role of a tenant cannot %s', (verb, group, resource) => {
  expect(collectFindings(own(rule(group, resource, 'get', verb)))).toEqual([
    `spec.access.roles[0].rules[0].verbs must not hold ${verb}: it leads to rights beyond the role`,
  ]);
});

test.each([
  ['', 'namespaces'],
  ['', 'namespaces/finalize'],
  ['', 'namespaces/status'],
  ['', 'resourcequotas'],
  ['', 'resourcequotas/status'],
  ['', 'limitranges'],
  ['', 'nodes'],
  ['', 'persistentvolumes'],
  ['admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
  ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations'],
  ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
  ['certificates.k8s.io', 'certificatesigningrequests'],
  ['tenantry.dev', 'tenants'],
  ['argoproj.io', 'applications'],
])('a role of a tenant cannot write %s %s even if the class lists them', (group, resource) => {
  const klass: TenantClassSpec = {
    ceilings: { roles: [{ apiGroups: [group], resources: [resource], verbs: ['*'] }] },
  };
  for (const verb of ['create', 'update', 'patch', 'delete', 'deletecollection']) {
    expect(collectFindings({ ...own(rule(group, resource, 'get', verb)), klass })).toEqual([
      `spec.access.roles[0].rules[0].resources must not write ${resource}, which belong to the platform, got verbs get, ${verb}`,
    ]);
  }
  expect(collectFindings({ ...own(rule(group, resource, 'get', 'list', 'watch')), klass })).toEqual(
    [],
  );
});

test('each of several groups and resources is checked (CVE-2023-32194)', () => {
  const wide: PolicyRule = {
    apiGroups: ['apps', ''],
    resources: ['configmaps', 'namespaces'],
    verbs: ['patch'],
  };
  expect(collectFindings(own(rule('', 'pods', 'get'), wide))).toEqual([
    'spec.access.roles[0].rules[1].resources must not write namespaces, which belong to the platform, got verbs patch',
  ]);
});

test('a tenant that may declare policies of another group cannot grant the right to write them', () => {
  const allow = { resources: [{ group: 'projectcalico.org', kind: 'NetworkPolicy' }] };
  const policies = rule('projectcalico.org', 'networkpolicies', 'patch');
  expect(collectFindings({ ...own(policies), klass: { allow } })).toEqual([
    `${beyondAdmin} patch on networkpolicies.projectcalico.org`,
  ]);
  expect(
    collectFindings({ ...own(policies), klass: { allow, ceilings: { roles: [policies] } } }),
  ).toEqual([]);
});

test('a tenant manages its own Roles, RoleBindings and NetworkPolicies (PL2-BC-OPS-3, 4)', () => {
  const rules = [
    rule('rbac.authorization.k8s.io', 'rolebindings', 'create', 'delete'),
    rule('networking.k8s.io', 'networkpolicies', 'create'),
  ];
  expect(collectFindings(own(...rules))).toEqual([]);
});

test.each([
  ['apiGroups', { ...rule('*', 'pods', 'get') }],
  ['resources', { ...rule('', '*', 'get') }],
  ['resources', { ...rule('', 'pods/*', 'get') }],
  ['verbs', { ...rule('', 'pods', '*') }],
])('the schema refuses a wildcard in %s, so the cluster does too', (field, wild) => {
  const spec = { access: { roles: [{ name: 'own', rules: [wild] }] } };
  const [wrong, ...more] = validate(tenant.spec, spec, ['spec']);
  expect(formatPath(wrong!.path)).toBe(`spec.access.roles[0].rules[0].${field}[0]`);
  expect(wrong!.message).toMatch(/a wildcard is refused/);
  expect(more).toEqual([]);
});

test('a rule without an API group is refused, and so is an empty list of them', () => {
  for (const apiGroups of [undefined, []]) {
    const rules = [{ ...(apiGroups && { apiGroups }), resources: ['pods'], verbs: ['get'] }];
    expect(validate(tenant.spec, { access: { roles: [{ name: 'r', rules }] } })).toHaveLength(1);
  }
});

test('a role needs either a preset or rules, and a name unless the preset has one', () => {
  const messages = (role: object) =>
    validate(tenant.spec, { access: { roles: [role] } }).map(({ message }) => message);
  const rules = [rule('', 'pods', 'get')];
  expect(messages({ name: 'r' })).toEqual(['must have either a preset or rules']);
  expect(messages({ preset: 'p', rules })).toEqual(['must have either a preset or rules']);
  expect(messages({ rules })).toEqual([
    'must have a name, since it has no preset to be named after',
  ]);
  expect(messages({ preset: 'p' })).toEqual([]);
});

test('a resource that is in no group of the rule is refused with a suggestion', () => {
  expect(collectFindings(own(rule('apps', 'deployment', 'get')))).toEqual([
    `${beyondAdmin} get on deployment.apps; did you mean 'deployments'?`,
  ]);
});

test('such a resource causes a warning in the class, because it never allows anything', () => {
  const klass = { ceilings: { roles: [rule('autoscaling', 'hpa', 'get')] } };
  expect(collectFindings({ ...own(rule('autoscaling', 'hpa', 'get')), klass })).toEqual([
    "warning spec.access.roles[0].rules[0].resources must be a resource of autoscaling to allow anything, got 'hpa'",
  ]);
});

test('a rule may combine groups with resources that not all of them have', () => {
  const product: PolicyRule = {
    apiGroups: ['', 'apps', 'batch'],
    resources: ['pods', 'pods/log', 'deployments', 'jobs'],
    verbs: ['get'],
  };
  expect(collectFindings(own(product))).toEqual([]);
  const gone = { ...product, apiGroups: ['', 'apps', 'batch', 'extensions'] };
  expect(collectFindings(own(gone))).toEqual([]);
  const more = { ...product, apiGroups: ['', 'apps', 'batch', 'metrics.k8s.io'] };
  expect(collectFindings(own(more))).toEqual([
    `${beyondAdmin} get on pods.metrics.k8s.io, pods.metrics.k8s.io/log, deployments.metrics.k8s.io, jobs.metrics.k8s.io`,
  ]);
});

test('violations of the ceiling in one rule are reported once', () => {
  const wide: PolicyRule = {
    apiGroups: [''],
    resources: ['pods', 'pods/status', 'services/status', 'pods/binding'],
    verbs: ['get', 'patch'],
  };
  expect(collectFindings(own(wide))).toEqual([
    `${beyondAdmin} patch on pods/status, services/status; get, patch on pods/binding`,
  ]);
});

const presets: TenantClassSpec['presets'] = {
  roles: [
    {
      name: 'deployer',
      bindingName: '{namespace}-deployer',
      rules: [rule('apps', 'deployments', 'patch')],
    },
    { name: 'quota-keeper', rules: [rule('', 'resourcequotas', 'update')] },
  ],
};

test('a preset of the class gives a role its rules, its name and the name of its binding', () => {
  const world: Given = {
    klass: { presets },
    tenant: { access: { roles: [{ preset: 'deployer', groups: ['github:pay'] }] } },
  };
  expect(ofKind(world, 'Role')[0]).toMatchObject({
    metadata: { name: 'deployer' },
    rules: [rule('apps', 'deployments', 'patch')],
  });
  expect(bindingsOf(world)).toEqual(['acme-deployer: Role deployer <- Group github:pay']);
});

test('rules of presets are not limited by the ceiling', () => {
  const access = { roles: [{ preset: 'quota-keeper', users: ['a'] }] };
  expect(collectFindings({ klass: { presets }, tenant: { access } })).toEqual([]);
});

test('a role of a tenant cannot have the name of a preset and other rules', () => {
  const roles = [{ preset: 'deployer' }, { name: 'deployer', rules: [rule('', 'secrets', 'get')] }];
  expect(collectFindings({ klass: { presets }, tenant: { access: { roles } } })).toEqual([
    "spec.access.roles[1] must have the rules that role 'deployer' has elsewhere in namespace acme, got others",
  ]);
});

test.each([
  ['', 'deployments', 'deployments are in API group apps'],
  ['apps', 'pods', "pods are in the core group, ''"],
  ['apps', 'ingresses', 'ingresses are in API group networking.k8s.io'],
  ['batch', 'events', "events are in the core group, '' or API group events.k8s.io"],
  ['', 'deployment', "did you mean 'deployments', in API group apps?"],
])(
  'a resource that group %j does not have is reported with its group: %s',
  (group, resource, end) => {
    const rules = [{ apiGroups: [group], resources: [resource], verbs: ['get'] }];
    const access = { roles: [{ name: 'a', rules, users: ['a'] }] };
    const found = collectFindings({ tenant: { access } });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`; ${end}`);
  },
);

test('an unknown preset of a role is refused', () => {
  const access = { roles: [{ preset: 'deploy', users: ['a'] }] };
  expect(collectFindings({ klass: { presets }, tenant: { access } })).toEqual([
    "spec.access.roles[0].preset must be a preset of class standard (one of deployer, quota-keeper), got 'deploy'; did you mean 'deployer'?",
  ]);
});

test('the ceiling of a class limits every right of a custom role', () => {
  const klass: TenantClassSpec = {
    ceilings: {
      roles: [
        { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
        { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
      ],
    },
  };
  const inside = own(rule('', 'pods/log', 'get'), rule('apps', 'deployments', 'delete'));
  expect(collectFindings({ ...inside, klass })).toEqual([]);
  expect(collectFindings({ ...own(rule('', 'pods', 'get', 'delete')), klass })).toEqual([
    'spec.access.roles[0].rules[0] must be within ceilings.roles of class standard, got delete on pods',
  ]);
  expect(collectFindings({ ...own(rule('batch', 'jobs', 'get')), klass })).toEqual([
    'spec.access.roles[0].rules[0] must be within ceilings.roles of class standard, got get on jobs.batch',
  ]);
  expect(
    collectFindings({ ...own(rule('', 'pods', 'get')), klass: { ceilings: { roles: [] } } }),
  ).toHaveLength(1);
});
