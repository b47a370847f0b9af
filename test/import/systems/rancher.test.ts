import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { importSystem, readOutcomes, readTenant, type SystemImport } from './import-system.ts';
import { listWithUnknownKeys } from './unknown-keys.ts';

/** A Namespace as a cluster of Rancher has it. */
const namespace = (name: string, project = 'p-xyz', more = ''): string => `
---
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels: { field.cattle.io/projectId: ${project}, team: shop }
  annotations:
    cattle.io/status: '{}'
    field.cattle.io/creatorId: u-abc12
    field.cattle.io/projectId: c-m-abc:${project}
    lifecycle.cattle.io/create.namespace-auth: 'true'
    ${more}
  finalizers: [controller.cattle.io/namespace-auth]
`;

const project = (name = 'p-xyz', more = '', displayName = 'Shop Team!'): string => `
---
apiVersion: management.cattle.io/v3
kind: Project
metadata: { name: ${name}, namespace: c-m-abc, annotations: { field.cattle.io/creatorId: u-abc12 } }
spec:
  displayName: ${displayName}
  clusterName: c-m-abc
  ${more}
`;

const bounds = `resourceQuota:
    limit: { pods: '100', requestsCpu: 8000m, extended: { count/jobs.batch: '20' } }
    usedLimit: { pods: '40', requestsCpu: 4000m }
  namespaceDefaultResourceQuota:
    limit: { pods: '20', requestsCpu: 2000m, extended: { count/jobs.batch: '5' } }
  containerDefaultResourceLimit: { requestsCpu: 100m, limitsMemory: 128Mi }`;

const binding = (subject: string, role = 'project-member', name = 'prtb-1'): string => `
---
apiVersion: management.cattle.io/v3
kind: ProjectRoleTemplateBinding
metadata: { name: ${name}, namespace: p-xyz }
projectName: c-m-abc:p-xyz
roleTemplateName: ${role}
${subject}
`;

const templates = `
---
apiVersion: management.cattle.io/v3
kind: RoleTemplate
metadata: { name: project-member }
displayName: Project Member
description: ''
builtin: true
context: project
external: false
hidden: false
locked: false
roleTemplateNames: [edit]
rules:
  - { apiGroups: [monitoring.coreos.com], resources: [PrometheusRules], verbs: [GET, list] }
---
apiVersion: management.cattle.io/v3
kind: RoleTemplate
metadata: { name: edit }
builtin: true
context: project
external: true
---
apiVersion: management.cattle.io/v3
kind: RoleTemplate
metadata: { name: cluster-owner }
context: cluster
rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
`;

const derivedOf = ({ result }: SystemImport, kind: string): unknown[] =>
  [...result.translated.derived].flatMap(({ object }) => (object.kind === kind ? [object] : []));

test('the namespaces of a project are a tenant with its display name, and two of a name differ', () => {
  const imported = importSystem(
    namespace('web') +
      namespace('api') +
      namespace('pay', 'p-zzz') +
      namespace('old', 'p-3') +
      project() +
      project('p-zzz'),
  );
  expect(imported.report.tenants).toEqual([
    { name: 'p-3', namespaces: ['old'] },
    { name: 'shop-team', namespaces: ['api', 'web'] },
    { name: 'shop-team-2', namespaces: ['pay'] },
  ]);
  expect(imported.report.outcome).toBe('done');
});

test('keys that only Rancher reads are not declared, and named', () => {
  const imported = importSystem(namespace('web') + project());
  expect(readTenant(imported, 'shop-team')).toEqual({ namespaces: [{ name: 'web' }] });
  expect(imported.report.bookkeeping.map(({ key }) => key)).toEqual([
    'cattle.io/status',
    'field.cattle.io/creatorId',
    'field.cattle.io/projectId',
    'lifecycle.cattle.io/create.namespace-auth',
  ]);
});

test('the label of the project is declared if a NetworkPolicy selects by it', () => {
  const imported = importSystem(`${namespace('web')}${project()}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: np-default, namespace: web }
spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress: [{ from: [{ namespaceSelector: { matchLabels: { field.cattle.io/projectId: p-xyz } } }] }]
`);
  const { object } = imported.result.proof.objects.find(
    ({ found }) => found.object.kind === 'Namespace',
  )!.found;
  expect(object.metadata.labels).toEqual({ 'field.cattle.io/projectId': 'p-xyz', team: 'shop' });
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.grouping.join('\n')).toContain(
    'because NetworkPolicy np-default names it',
  );
});

test('each namespace gets the quota of its annotation, else the default of the project, and the limits', () => {
  const own = `field.cattle.io/resourceQuota: '{"limit":{"pods":"30","services":"3"}}'`;
  const limits = `field.cattle.io/containerDefaultResourceLimit: '{"limitsCpu":"1"}'`;
  const imported = importSystem(
    namespace('web', 'p-xyz', own) + namespace('api', 'p-xyz', limits) + project('p-xyz', bounds),
  );
  const hard = { pods: '20', 'requests.cpu': '2000m', 'count/jobs.batch': '5' };
  const base = { apiVersion: 'v1', kind: 'ResourceQuota' };
  expect(derivedOf(imported, 'ResourceQuota')).toEqual([
    // The project bounds no services, so Rancher does not either.
    {
      ...base,
      metadata: { name: 'project-quota', namespace: 'web' },
      spec: { hard: { ...hard, pods: '30' } },
    },
    { ...base, metadata: { name: 'project-quota', namespace: 'api' }, spec: { hard } },
  ]);
  expect(derivedOf(imported, 'LimitRange')).toMatchObject([
    {
      spec: {
        limits: [
          { type: 'Container', default: { memory: '128Mi' }, defaultRequest: { cpu: '100m' } },
        ],
      },
    },
    {
      spec: {
        limits: [{ default: { cpu: '1', memory: '128Mi' }, defaultRequest: { cpu: '100m' } }],
      },
    },
  ]);
  expect(readOutcomes(imported, 'Project c-m-abc/p-xyz')).toMatchObject({
    'spec.displayName': 'taken: the name of the tenant shop-team',
    'spec.resourceQuota.limit.pods': expect.stringMatching(
      /^changed: ResourceQuotas of its namespaces/,
    ),
    'spec.resourceQuota.limit.extended["count/jobs.batch"]': expect.stringMatching(/^changed/),
    'spec.resourceQuota.usedLimit.pods': 'taken: the sum that Rancher computed',
    'spec.namespaceDefaultResourceQuota.limit.requestsCpu':
      'taken: ResourceQuotas of its namespaces',
    'spec.containerDefaultResourceLimit.limitsMemory': 'taken: LimitRanges of its namespaces',
  });
  expect(imported.report.outcome).toBe('different');
});

const made = (kind: string, place: string, spec: string): string => `
---
apiVersion: v1
kind: ${kind}
metadata: { name: default-ab12c, namespace: ${place}, labels: { resourcequota.management.cattle.io/default-resource-quota: 'true' } }
spec: ${spec}
`;

test('quotas and limits that Rancher made are explained by its objects, or reported', () => {
  const live =
    made(
      'ResourceQuota',
      'web',
      "{ hard: { pods: '20', requests.cpu: '2', count/jobs.batch: '5' } }",
    ) +
    made(
      'LimitRange',
      'web',
      '{ limits: [{ type: Container, default: { memory: 128Mi }, defaultRequest: { cpu: 100m } }] }',
    ) +
    made('ResourceQuota', 'api', "{ hard: { pods: '2' } }");
  const { report } = importSystem(
    namespace('web') + namespace('api') + project('p-xyz', bounds) + live,
  );
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['ResourceQuota web/default-ab12c', true],
    ['LimitRange web/default-ab12c', true],
    ['ResourceQuota api/default-ab12c', false],
  ]);
});

test('without its Project, a namespace keeps the quota that Rancher made, and its annotation alone is an error', () => {
  const own = `field.cattle.io/resourceQuota: '{"limit":{"pods":"30"}}'`;
  const live = made('ResourceQuota', 'web', "{ hard: { pods: '30' } }");
  const imported = importSystem(namespace('web', 'p-xyz', own) + live);
  expect(derivedOf(imported, 'ResourceQuota')).toMatchObject([{ spec: { hard: { pods: '30' } } }]);
  expect(imported.report.outcome).toBe('done');
  expect(() => importSystem({ 'ns.yaml': namespace('web', 'p-xyz', own) })).toThrow(
    /ns\.yaml:\d+:1 Namespace web must be imported together with Project c-m-abc:p-xyz/,
  );
  expect(() =>
    importSystem(namespace('web', 'p-xyz', "field.cattle.io/resourceQuota: '[3'")),
  ).toThrow(/annotation field\.cattle\.io\/resourceQuota must be an object in JSON, got '\[3'/);
});

test('members of a project get a ClusterRole for an external template, and a Role with the rules of another', () => {
  const imported = importSystem(
    namespace('web') +
      project() +
      templates +
      binding('userName: u-abc12\nuserPrincipalName: local://u-abc12') +
      binding('groupPrincipalName: activedirectory_group://CN=shop', 'project-member', 'prtb-2'),
  );
  const people = { users: ['u-abc12'], groups: ['activedirectory_group://CN=shop'] };
  expect(readTenant(imported, 'shop-team')).toMatchObject({
    access: {
      editors: people,
      roles: [
        {
          name: 'rancher-project-member',
          rules: [{ resources: ['prometheusrules'], verbs: ['get', 'list'] }],
          ...people,
        },
      ],
    },
  });
  expect(readOutcomes(imported, 'ProjectRoleTemplateBinding p-xyz/prtb-1')).toEqual({
    projectName: 'taken: the tenant shop-team',
    roleTemplateName: 'taken: `access` of web',
    userName: 'taken: User u-abc12 in `access`',
    userPrincipalName: 'taken: User u-abc12 in `access`',
  });
  expect(imported.report.omitted).toEqual([
    expect.objectContaining({ object: 'RoleTemplate cluster-owner', accepted: true }),
  ]);
  expect(imported.report.outcome).toBe('done');
});

test.each([
  ['userPrincipalName: local://u-abc12', ['u-abc12'], undefined],
  ['userPrincipalName: github_user://123', undefined, /^left: Rancher gives the user an id/],
  ['groupName: a\nuserName: u-1', undefined, /^left: Rancher refuses more than one subject/],
])('a binding with %s binds %j', (subject, users, expected) => {
  const imported = importSystem(namespace('web') + project() + templates + binding(subject));
  const tenant = readTenant(imported, 'shop-team') as {
    access?: { editors?: { users?: string[] } };
  };
  expect(tenant.access?.editors?.users).toEqual(users);
  const outcomes = readOutcomes(imported, 'ProjectRoleTemplateBinding p-xyz/prtb-1');
  const [field = ''] = subject.split(':');
  if (expected) expect(outcomes[field]).toMatch(expected);
  if (expected) expect(outcomes['roleTemplateName']).toBe('left: nobody is bound to it');
});

test.each([
  ['missing', /^left: the source has no RoleTemplate missing/],
  ['cluster-owner', /^left: RoleTemplate cluster-owner is for whole clusters/],
  ['loop', undefined],
])('a binding to the RoleTemplate %s grants only what is certain', (role, expected) => {
  const loop = `
---
apiVersion: management.cattle.io/v3
kind: RoleTemplate
metadata: { name: loop }
roleTemplateNames: [loop, edit]
`;
  const imported = importSystem(
    namespace('web') + project() + templates + loop + binding('userName: u-1', role),
  );
  const outcome = readOutcomes(imported, 'ProjectRoleTemplateBinding p-xyz/prtb-1')[
    'roleTemplateName'
  ];
  expect(outcome).toMatch(expected ?? /^taken/);
  expect(imported.report.outcome).toBe(expected ? 'different' : 'done');
});

test('a Role of the same name in a namespace never gets the subjects of a template', () => {
  const imported =
    importSystem(`${namespace('web')}${project()}${templates}${binding('userName: u-1')}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: rancher-project-member, namespace: web }
rules: [{ apiGroups: [''], resources: [secrets], verbs: ['*'] }]
`);
  expect(JSON.stringify(imported.result.files)).not.toContain('u-1');
  expect(
    readOutcomes(imported, 'ProjectRoleTemplateBinding p-xyz/prtb-1')['roleTemplateName'],
  ).toBe('left: namespace web has a Role rancher-project-member of its own: rename it');
});

test('rights that a Role cannot grant are named', () => {
  const wide = `
---
apiVersion: management.cattle.io/v3
kind: RoleTemplate
metadata: { name: wide }
rules:
  - { apiGroups: [''], resources: [persistentvolumes], verbs: [list] }
  - { apiGroups: [management.cattle.io], resources: [projects], verbs: [updatepsa] }
  - { nonResourceURLs: [/metrics], verbs: [get] }
`;
  const imported = importSystem(
    namespace('web') + project() + wide + binding('userName: u-1', 'wide'),
  );
  expect(readOutcomes(imported, 'RoleTemplate wide')).toMatchObject({
    'rules[0].resources': expect.stringMatching(
      /^changed: .*persistentvolumes outside of its namespace/,
    ),
    'rules[1].resources': expect.stringMatching(/^changed: .*resources of Rancher/),
    'rules[2].nonResourceURLs': expect.stringMatching(/^left: a Role cannot have paths/),
  });
});

const rolebinding = (role: string, user: string, label: string): string => `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: rb-${user}-${role}, namespace: web, labels: { ${label} } }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role} }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user} }]
`;

test('RoleBindings that Rancher made are explained by a binding of the project, or reported', () => {
  const { report } = importSystem(
    namespace('web') +
      project() +
      templates +
      binding('userName: u-1') +
      rolebinding('edit', 'u-1', 'authz.cluster.cattle.io/rtb-owner-updated: p-xyz_prtb-1') +
      rolebinding(
        'project-member-aggregator',
        'u-1',
        "authz.cluster.cattle.io/prtb-owner-prtb-1: 'true'",
      ) +
      rolebinding(
        'project-owner',
        'u-1',
        'authz.cluster.cattle.io/rtb-owner-updated: p-xyz_prtb-9',
      ) +
      rolebinding('edit', 'u-2', 'authz.cluster.cattle.io/rtb-owner: uid'),
  );
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['RoleTemplate cluster-owner', true],
    ['RoleBinding web/rb-u-1-edit', true],
    ['RoleBinding web/rb-u-1-project-member-aggregator', true],
    ['RoleBinding web/rb-u-1-project-owner', false],
    ['RoleBinding web/rb-u-2-edit', false],
  ]);
});

test('the project for system namespaces belongs to the platform', () => {
  const system = project('p-sys').replace(
    'annotations:',
    "labels: { authz.management.cattle.io/system-project: 'true' }, annotations:",
  );
  const { report } = importSystem(
    namespace('web') + project() + namespace('fleet', 'p-sys') + system,
  );
  expect(report.tenants.map(({ name }) => name)).toEqual(['shop-team']);
  expect(report.omitted).toEqual([
    expect.objectContaining({ object: 'Namespace fleet', accepted: false }),
    expect.objectContaining({ object: 'Project c-m-abc/p-sys', accepted: false }),
  ]);
});

test('rights in a whole cluster, and what concerns no namespace of the source, are left out by name', () => {
  const { report } = importSystem(`${namespace('web')}${project()}${project('p-else')}
${binding('userName: u-1').replace('projectName: c-m-abc:p-xyz', 'projectName: c-m-abc:p-none')}
---
apiVersion: management.cattle.io/v3
kind: ClusterRoleTemplateBinding
metadata: { name: crtb-1, namespace: c-m-abc }
clusterName: c-m-abc
roleTemplateName: cluster-owner
userName: u-1
`);
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['Project c-m-abc/p-else', false],
    ['ProjectRoleTemplateBinding p-xyz/prtb-1', false],
    ['ClusterRoleTemplateBinding c-m-abc/crtb-1', false],
  ]);
});

test('every mapping of every kind names a key that Tenantry does not know', () => {
  const all =
    project('p-xyz', bounds) +
    binding('userName: u-1') +
    templates.split('---')[1]!.replace(/^/, '---');
  const objects = readDocuments(all)
    .documents.map(({ value }) => value as Record<string, unknown>)
    .flatMap(listWithUnknownKeys)
    .filter(({ field }) => !/\.extended\./.test(field));
  expect(objects.length).toBe(11);
  for (const { object, field } of objects) {
    const id = `${String(object['kind'])} `;
    const others = [project('p-xyz', bounds), binding('userName: u-1'), templates].filter(
      (text) => !text.includes(`kind: ${String(object['kind'])}\n`),
    );
    const rest =
      object['kind'] === 'RoleTemplate' ? templates.split('---').slice(2).join('---') : '';
    const imported = importSystem(
      [
        namespace('web'),
        ...others,
        rest && `---${rest}`,
        emitYaml([object]).replace(/^(---\n)?/, '---\n'),
      ].join('\n'),
    );
    const texts = imported.report.translated
      .filter((one) => one.object.startsWith(id))
      .flatMap(({ fields }) => fields.map((one) => `${one.field} ${one.text}`));
    expect(texts).toContain(`${field} Tenantry does not know this field`);
  }
});
