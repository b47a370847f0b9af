import { expect, test } from '@jest/globals';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { configMap, inFleet, platform, tenant, tenantClass, withFleet } from './fleet.ts';

const CLASS = 'tenants/classes/standard.yaml';
const PLATFORM = 'tenantry.yaml';

/** A valid class that all of the twenty tenants use. */
const soundClass = {
  presets: {
    quotas: [{ name: 'small', hard: { pods: 10, 'requests.cpu': 2, 'requests.memory': '4Gi' } }],
    limits: [{ name: 'usual', items: [{ type: 'Container', default: { memory: '1Gi' } }] }],
    networks: [{ name: 'closed', isolation: 'SameNamespace' }],
    roles: [{ name: 'reader', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  },
  defaults: {
    quota: { preset: 'small' },
    limits: { preset: 'usual' },
    network: { preset: 'closed' },
    access: { roles: [{ preset: 'reader', groups: ['everyone'] }] },
    contact: { team: 'x' },
    clusters: ['eu1'],
  },
  environments: [{ name: 'prod', quota: { hard: { pods: 20 } } }],
  ceilings: {
    quota: { pods: 100 },
    tenantQuota: { pods: 2000 },
    limits: { memory: '8Gi' },
    podSecurity: 'baseline',
    network: { isolation: 'SameTenant', ingressFrom: { cidrs: ['10.0.0.0/8'] } },
  },
  allow: { clusters: ['eu1'], clusterRoles: ['log-reader'] },
};
const soundPlatform = {
  clusters: [{ name: 'eu1' }, { name: 'us1' }],
  defaultClusters: ['eu1'],
  defaultClass: 'standard',
  environments: ['dev', 'prod'],
  metadataKeys: { team: 'example.com/team', source: 'example.com/source' },
};

/** Some choose no class, and some set values that need one. */
const tenantsOfStandard: Record<string, string> = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => {
    const name = `team-${String(i).padStart(2, '0')}`;
    const spec = {
      ...(i % 2 === 0 && { className: 'standard' }),
      ...(i % 4 === 0 && {
        quota: { preset: 'small', hard: { secrets: 5 } },
        contact: { team: 'a' },
      }),
      ...(i % 5 === 0 && {
        access: { clusterRoles: [{ name: 'log-reader', groups: ['x'] }] },
        network: { allowFrom: [{ name: 'in', cidrs: ['10.1.0.0/16'] }] },
      }),
      ...(i % 3 === 0 && { clusters: ['eu1'] }),
      namespaces: [
        { name, environment: i % 2 === 0 ? 'prod' : 'dev' },
        { name: `${name}-more`, limits: { preset: 'usual' } },
      ],
    };
    return [`tenants/${name}.yaml`, tenant(name, spec)];
  }),
);

const fleetWith = (klass: object = {}, more: object = {}) => ({
  ...tenantsOfStandard,
  [CLASS]: tenantClass('standard', { ...soundClass, ...klass }),
  [PLATFORM]: platform({ ...soundPlatform, ...more }),
});

test(
  'a fleet of twenty without a mistake has no problem',
  inFleet(fleetWith(), (fleet) => {
    const { problems, summary } = fleet.render();
    expect(problems).toEqual([]);
    expect(summary!.warnings).toEqual([]);
  }),
);

const { defaults, presets, ceilings, allow } = soundClass;
const inDefaults = (change: object) => ({ defaults: { ...defaults, ...change } });
const inProd = (change: object) => ({ environments: [{ name: 'prod', ...change }] });
const inPresets = (change: object) => ({ presets: { ...presets, ...change } });
const inCeilings = (change: object) => ({ ceilings: { ...ceilings, ...change } });
const inAllow = (change: object) => ({ allow: { ...allow, ...change } });
const ipBlock = (cidr: string) => ({
  name: 'x',
  spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr } }] }] },
});

test.each<[string, object, string]>([
  [
    'a value that is none',
    inDefaults({ quota: { hard: { pods: 'many' } } }),
    'spec.defaults.quota.hard.pods',
  ],
  ['a field that there is not', { ceiling: {} }, 'spec.ceiling'],
  ['a quota preset', inDefaults({ quota: { preset: 'smal' } }), 'spec.defaults.quota.preset'],
  ['a limits preset', inDefaults({ limits: { preset: 'usal' } }), 'spec.defaults.limits.preset'],
  [
    'a network preset',
    inDefaults({ network: { preset: 'close' } }),
    'spec.defaults.network.preset',
  ],
  [
    'a role preset',
    inDefaults({ access: { roles: [{ preset: 'read', groups: ['x'] }] } }),
    'spec.defaults.access.roles[0].preset',
  ],
  [
    'a preset of an environment',
    inProd({ quota: { preset: 'smal' } }),
    'spec.environments[0].quota.preset',
  ],
  ['a cluster of the defaults', inDefaults({ clusters: ['eu'] }), 'spec.defaults.clusters'],
  ['a cluster of an environment', inProd({ clusters: ['eu'] }), 'spec.environments[0].clusters'],
  ['a cluster that is allowed', inAllow({ clusters: ['eu1', 'eu'] }), 'spec.allow.clusters[1]'],
  [
    'an environment',
    { environments: [{ name: 'prodd', podSecurity: { warn: 'restricted' } }] },
    'spec.environments[0].name',
  ],
  ['a contact', inDefaults({ contact: { teem: 'x' } }), 'spec.defaults.contact.teem'],
  [
    'a reserved label',
    inDefaults({ labels: { 'tenantry.dev/tenant': 'x' } }),
    'spec.defaults.labels["tenantry.dev/tenant"]',
  ],
  [
    'a key that is none',
    inDefaults({ annotations: { 'a b': 'x' } }),
    'spec.defaults.annotations["a b"]',
  ],
  [
    'an identity of Kubernetes',
    inDefaults({ access: { admins: { groups: ['system:masters'] } } }),
    'spec.defaults.access.admins.groups',
  ],
  ['cluster-admin behind admins', { roles: { admins: 'cluster-admin' } }, 'spec.roles.admins'],
  [
    'cluster-admin allowed',
    inAllow({ clusterRoles: ['log-reader', 'cluster-admin'] }),
    'spec.allow.clusterRoles[1]',
  ],
  [
    'cluster-admin given',
    inDefaults({ access: { clusterRoles: [{ name: 'cluster-admin', groups: ['x'] }] } }),
    'spec.defaults.access.clusterRoles[0]',
  ],
  [
    'two roles of one binding',
    inDefaults({
      access: {
        clusterRoles: [
          { name: 'a', bindingName: 'x', groups: ['x'] },
          { name: 'b', bindingName: 'x', groups: ['x'] },
        ],
      },
    }),
    'spec.defaults.access.clusterRoles[1]',
  ],
  [
    'a key of a quota preset',
    inPresets({ quotas: [{ name: 'small', hard: { pod: 10 } }] }),
    'spec.presets.quotas[0].hard.pod',
  ],
  [
    'half a thing in a preset',
    inPresets({ quotas: [{ name: 'small', hard: { pods: '1.5' } }] }),
    'spec.presets.quotas[0].hard.pods',
  ],
  [
    'a scope of a preset',
    inPresets({
      quotas: [{ name: 'small', hard: { pods: 10 }, scoped: [{ name: 'x', hard: { pods: 1 } }] }],
    }),
    'spec.presets.quotas[0].scoped',
  ],
  [
    'limits of a preset',
    inPresets({
      limits: [
        {
          name: 'usual',
          items: [{ type: 'Container', default: { cpu: 1 }, defaultRequest: { cpu: 2 } }],
        },
      ],
    }),
    'spec.presets.limits[0].items',
  ],
  [
    'a resource of a limit',
    inPresets({ limits: [{ name: 'usual', items: [{ type: 'Container', default: { ram: 1 } }] }] }),
    'spec.presets.limits[0].items',
  ],
  [
    'a policy of a preset',
    inPresets({ networks: [{ name: 'closed', policies: [ipBlock('10.0.0.1/8')] }] }),
    'spec.presets.networks[0].policies[0].spec.ingress[0].from[0].ipBlock.cidr',
  ],
  [
    'a policy of the defaults',
    inDefaults({ network: { policies: [ipBlock('10.0.0.1/8')] } }),
    'spec.defaults.network.policies[0].spec.ingress[0].from[0].ipBlock.cidr',
  ],
  [
    'a selector',
    inDefaults({
      disruptionBudgets: [
        { name: 'x', minAvailable: 1, selector: { matchLabels: { 'a b': 'c' } } },
      ],
    }),
    'spec.defaults.disruptionBudgets',
  ],
  [
    'a resource',
    inDefaults({
      resources: [{ manifest: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' } } }],
    }),
    'spec.defaults.resources[0].manifest.kind',
  ],
  [
    'a quota above its own ceiling',
    inDefaults({ quota: { hard: { pods: 101 } } }),
    'spec.defaults.quota.hard.pods',
  ],
  [
    'an environment above the ceiling',
    inProd({ quota: { hard: { pods: 101 } } }),
    'spec.environments[0].quota.hard.pods',
  ],
  [
    'limits above their own ceiling',
    inDefaults({ limits: { items: [{ type: 'Container', default: { memory: '9Gi' } }] } }),
    'spec.defaults.limits.items',
  ],
  [
    'a level below the ceiling',
    inDefaults({ podSecurity: { enforce: 'privileged' } }),
    'spec.defaults.podSecurity.enforce',
  ],
  [
    'isolation above the ceiling',
    inDefaults({ network: { isolation: 'Open' } }),
    'spec.defaults.network.isolation',
  ],
  [
    'a total that cannot be divided',
    inDefaults({ quota: { total: { 'requests.cpu': '1u' } } }),
    'spec.defaults.quota.total["requests.cpu"]',
  ],
  ['a key of a ceiling', inCeilings({ quota: { pod: 100 } }), 'spec.ceilings.quota.pod'],
  [
    'a key of the ceiling of all',
    inCeilings({ tenantQuota: { pod: 100 } }),
    'spec.ceilings.tenantQuota.pod',
  ],
  ['a resource of a ceiling', inCeilings({ limits: { ram: '8Gi' } }), 'spec.ceilings.limits.ram'],
  [
    'a block of a ceiling',
    inCeilings({ network: { ingressFrom: { cidrs: ['10.1.2.3/8'] } } }),
    'spec.ceilings.network.ingressFrom.cidrs[0]',
  ],
  [
    'a block that people may use',
    { selfService: { services: { externalIPs: ['10.1.2.3/8'] } } },
    'spec.selfService.services.externalIPs[0]',
  ],
  [
    'all names of a domain inside the cluster',
    { selfService: { services: { externalNames: ['*.svc.cluster.local'] } } },
    'spec.selfService.services.externalNames[0]',
  ],
  [
    'a ceiling below what is built in',
    { ...inDefaults({ podSecurity: undefined }), ...inCeilings({ podSecurity: 'restricted' }) },
    'spec.ceilings.podSecurity',
  ],
  [
    'a ceiling of what nobody bounds',
    inCeilings({ quota: { 'requests.nvidia.com/gpu': 4 } }),
    'spec.ceilings.quota["requests.nvidia.com/gpu"]',
  ],
  [
    'whom it lets in',
    {
      allowedTenants: {
        names: ['*'],
        selector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
      },
    },
    'spec.allowedTenants.selector',
  ],
  [
    'a second network object of a name',
    inDefaults({
      network: { policies: [{ name: 'tenant-isolation', spec: { podSelector: {} } }] },
    }),
    'spec.defaults.network.policies',
  ],
])('one mistake in a class is one problem, at the class: %s', (_what, change, path) => {
  withFleet(fleetWith(change), (fleet) => {
    const { problems } = fleet.render();
    expect(problems.map((one) => one.split(' must ')[0])).toEqual([
      expect.stringMatching(/^tenants\/classes\/standard\.yaml:\d+:\d+ /),
    ]);
    expect(problems[0]).toContain(` ${path} `);
  });
});

test.each<[string, object, string]>([
  ['the default class', { defaultClass: 'standart' }, 'spec.defaultClass'],
  ['a default cluster', { defaultClusters: ['eu'] }, 'spec.defaultClusters[0]'],
  ['an environment that many name', { environments: ['dev', 'prd'] }, 'spec.environments[1]'],
  ['an environment left out', { environments: ['dev'] }, 'spec.environments'],
  ['a contact key', { metadataKeys: { teem: 'example.com/team' } }, 'spec.metadataKeys.teem'],
  ['the key of an annotation', { metadataKeys: { team: 'a b' } }, 'spec.metadataKeys.team'],
  ['a trusted label', { trustedLabels: ['a b'] }, 'spec.trustedLabels[0]'],
  ['a value that is none', { operator: { namespace: 'A' } }, 'spec.operator.namespace'],
  ['a field that there is not', { cluster: [] }, 'spec.cluster'],
  [
    'a block of addresses',
    { dns: [{ ipBlock: { cidr: '10.1.2.3/16' } }] },
    'spec.dns[0].ipBlock.cidr',
  ],
  [
    'a selector',
    { monitoring: [{ podSelector: { matchLabels: { 'a b': 'c' } } }] },
    'spec.monitoring[0]',
  ],
  [
    'a peer that is none',
    { clusters: [{ name: 'eu1', ingressControllers: [{}] }] },
    'spec.clusters[0].ingressControllers[0]',
  ],
  ['a file of definitions', { crdFiles: ['no'] }, 'spec.crdFiles[0]'],
])('one mistake in the platform file is one problem, there: %s', (_what, change, path) => {
  withFleet(fleetWith({}, change), (fleet) => {
    const { problems } = fleet.render();
    expect(problems.map((one) => one.split(' must ')[0])).toEqual([
      expect.stringMatching(/^tenantry\.yaml:\d+:\d+ /),
    ]);
    expect(problems[0]).toContain(` ${path} `);
  });
});

/** A file that all twenty include. */
const shared = (text: string) => ({
  ...fleetWith(),
  ...Object.fromEntries(
    Object.keys(tenantsOfStandard).map((file, i) => {
      const name = `team-${String(i).padStart(2, '0')}`;
      const resources = [{ file: 'resources/shared.yaml' }];
      return [file, tenant(name, { className: 'standard', resources })];
    }),
  ),
  'tenants/resources/shared.yaml': text,
});

test.each<[string, string, RegExp]>([
  ['is no YAML', 'a: 1\nb: [1\n', /:2:4 must be YAML: /],
  ['holds no object', `${configMap('a')}\n---\njust a text\n`, /:3:1 must be a Kubernetes object/],
  [
    'holds an object that no namespace can have',
    'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n',
    /:2:7 kind must be a namespaced kind, got 'Node'/,
  ],
  [
    'holds such an object in a List',
    '{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: a}}]}',
    /:1:\d+ items\[0\]\.kind must be a namespaced kind, got 'Node'/,
  ],
])('a file that all include and that %s is reported once, in that file', (_what, text, pattern) => {
  withFleet(shared(text), (fleet) => {
    const { problems } = fleet.render();
    expect(problems).toEqual([expect.stringMatching(pattern)]);
    expect(problems[0]).toMatch(
      /^tenants\/resources\/shared\.yaml.* \(included by tenants\/team-00\.yaml, .* and 10 more\)$/,
    );
  });
});

test('a questionable value in a file that all include is one warning, with and without a cache', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, creationTimestamp: null}\n';
  withFleet(shared(text), (fleet) => {
    const odd = [
      expect.stringMatching(
        /resources\/shared\.yaml:3:\d+ metadata\.creationTimestamp must be left out.* \(included by .* and 10 more\)$/,
      ),
    ];
    const render = () => fleet.render({ memory: 'memory' });
    expect(render().warnings).toEqual(odd);
    expect(render().warnings).toEqual(odd);
  });
});

test('a value in a file that only one class refuses is reported with the tenants of that class', () => {
  const files = {
    'tenants/classes/strict.yaml': tenantClass('strict', {
      allow: { resources: [{ group: 'apps', kind: 'Deployment' }] },
    }),
    'tenants/a.yaml': tenant('a', {
      className: 'strict',
      resources: [{ file: 'resources/shared.yaml' }],
    }),
  };
  withFleet({ ...shared(configMap('x')), ...files }, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/resources\/shared\.yaml:1:\d+ kind must be a kind that class strict allows in allow\.resources, got 'ConfigMap' \(included by tenants\/a\.yaml\)$/,
      ),
    ]);
  });
});

const inFolders = (...folders: string[]) =>
  Object.fromEntries(
    folders.flatMap((folder) =>
      ['a', 'b'].map((name) => [
        `tenants/${folder}/${name}.yaml`,
        tenant(`${folder.replace('/', '-')}-${name}`),
      ]),
    ),
  );
const delegated = (...folders: string[]) => ({
  'tenantry.yaml': platform({
    delegation: { folders: folders.map((folder) => ({ folder, tenants: ['*'] })) },
  }),
});

test('a misspelled folder of the delegation table is reported there, once', () => {
  const teams = inFolders('teams/blue', 'teams/red', 'labs');
  withFleet({ ...delegated('teams/*', 'labs'), ...teams }, (fleet) => {
    expect(fleet.render().problems).toEqual([]);
    fleet.write(delegated('team/*', 'labs'));
    expect(fleet.render().problems).toEqual([
      "tenantry.yaml:4:43 spec.delegation.folders[0].folder must be a folder that holds files, got 'team/*'; did you mean 'teams/*', which holds 4 files (tenants/teams/blue/a.yaml, tenants/teams/blue/b.yaml, tenants/teams/red/a.yaml, tenants/teams/red/b.yaml)?",
    ]);
    // A row for the parent folder also applies to them, and refuses them.
    const around = { folders: [{ folder: '.' }, { folder: 'team/*', tenants: ['*'] }] };
    fleet.remove('tenants/labs');
    fleet.write({ 'tenantry.yaml': platform({ delegation: around }) });
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenantry\.yaml:\d+:\d+ spec\.delegation\.folders\[1\]\.folder must be/,
      ),
    ]);
  });
});

test('a folder that is missing in the table is reported there, once', () => {
  withFleet({ ...delegated('labs'), ...inFolders('teams/blue', 'teams/red', 'labs') }, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenantry\.yaml:\d+:\d+ spec\.delegation\.folders must have a row for 'teams', which holds 4 files \(.*\), got labs, classes$/,
      ),
    ]);
  });
});

test('a file in a misspelled folder is reported at the file', () => {
  const files = { ...inFolders('labs'), 'tenants/lab/c.yaml': tenant('c') };
  withFleet({ ...delegated('labs'), ...files }, (fleet) => {
    const places = () => fleet.render().problems.map((one) => one.split(' must ')[0]);
    expect(places()).toEqual(['tenants/lab/c.yaml:2:7 kind']);
    // As many files as possible: the folder with the similar name is in use.
    fleet.write({ 'tenants/lab/d.yaml': tenant('d') });
    expect(places()).toEqual(['tenants/lab/c.yaml:2:7 kind', 'tenants/lab/d.yaml:2:7 kind']);
    // A single file may be the misplaced one, even if the other folder is used.
    fleet.remove('tenants/labs');
    fleet.remove('tenants/lab/d.yaml');
    expect(places()).toEqual(['tenants/lab/c.yaml:2:7 kind']);
    // Folders that differ by a number are different folders.
    fleet.remove('tenants/lab');
    fleet.write({ ...delegated('team1'), ...inFolders('team2') });
    expect(places()).toEqual(['tenantry.yaml:4:32 spec.delegation.folders']);
  });
});

test('a missing class that many name is reported once, at the first of them', () => {
  const own = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      `tenants/${name}.yaml`,
      tenant(name, { className: 'standrad' }),
    ]),
  );
  withFleet({ ...fleetWith(), ...own }, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/a\.yaml:4:\d+ spec\.className must be a declared TenantClass \(standard\), got 'standrad'; did you mean 'standard'\? \(3 tenants name it: a, b, c\)$/,
      ),
    ]);
    fleet.remove('tenants/b.yaml');
    fleet.remove('tenants/c.yaml');
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(/^tenants\/a\.yaml:4:\d+ .*; did you mean 'standard'\?$/),
    ]);
  });
});

const including = (file: string, ...names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      `tenants/${name}/t.yaml`,
      tenant(name, { resources: [{ file: `../${file}` }] }),
    ]),
  );

const rowsOf = (shared: readonly string[], ...names: readonly string[]) => ({
  delegation: { folders: names.map((folder) => ({ folder, tenants: ['*'] })), shared },
});

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';

test('a missing file that many include is reported once, at the first of them', () => {
  const files = { 'tenantry.yaml': platform({}), ...including('resources/no.yaml', 'a', 'b') };
  withFleet(files, (fleet) => {
    const missing =
      /^tenants\/a\/t\.yaml:4:\d+ spec\.resources\[0\]\.file must be a file .* no such file/;
    expect(fleet.render().problems).toEqual([expect.stringMatching(missing)]);
    expect(fleet.render().problems[0]).toMatch(
      / \(2 files include it: tenants\/a\/t\.yaml, tenants\/b\/t\.yaml\)$/,
    );
    fleet.remove('tenants/b/t.yaml');
    expect(fleet.render().problems).toEqual([expect.stringMatching(missing)]);
    expect(fleet.render().problems[0]).toMatch(/there is no such file$/);
    // Two missing files are two mistakes.
    fleet.write(including('resources/neither.yaml', 'b'));
    expect(fleet.render().problems).toHaveLength(2);
  });
});

test('a misspelled shared folder is reported only in the platform file', () => {
  const shared = { 'tenants/common/resources/a.yaml': settings };
  const own = including('common/resources/a.yaml', 'a', 'b');
  const files = { ...shared, ...own, 'tenantry.yaml': platform(rowsOf(['comon'], 'a', 'b')) };
  withFleet(files, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenantry\.yaml:\d+:\d+ spec\.delegation\.shared\[0\] must be a folder that holds files, got 'comon'; did you mean 'common', of which 2 files \(tenants\/a\/t\.yaml, tenants\/b\/t\.yaml\) include files\?$/,
      ),
    ]);
    // Without a similar entry the files are at fault: it is reported once, at the first of them.
    fleet.write({ 'tenantry.yaml': platform(rowsOf(['elsewhere'], 'a', 'b')) });
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/a\/t\.yaml:4:\d+ .* nor shared \(spec\.delegation\) \(2 files include files of 'common\/resources': tenants\/a\/t\.yaml, tenants\/b\/t\.yaml\)$/,
      ),
    ]);
    fleet.write({ 'tenantry.yaml': platform(rowsOf(['common'], 'a', 'b')) });
    expect(fleet.render().problems).toEqual([]);
    // Files of one folder that is not shared are one mistake; a missing one is reported at its
    // file.
    fleet.write({
      'tenantry.yaml': platform(rowsOf(['elsewhere'], 'a', 'b')),
      'tenants/common/resources/b.yaml': settings,
      ...including('common/resources/b.yaml', 'b'),
    });
    expect(fleet.render().problems).toHaveLength(1);
    fleet.write({
      'tenantry.yaml': platform(rowsOf(['comon'], 'a', 'b')),
      ...including('common/resources/c.yaml', 'a', 'b'),
    });
    expect(fleet.render().problems).toEqual([expect.stringMatching(/^tenants\/a\/t\.yaml:4/)]);
    fleet.write(own);
    // An entry that holds files is not misspelled.
    fleet.write({
      'tenantry.yaml': platform(rowsOf(['comon'], 'a', 'b')),
      'tenants/comon/resources/b.yaml': settings,
    });
    expect(fleet.render().problems).toEqual([expect.stringMatching(/^tenants\/a\/t\.yaml:4/)]);
  });
});

test('all files with the name may be one file', () => {
  const text = ['a', 'b'].map((name) => tenant(name, { className: 'gold' })).join('---\n');
  withFleet({ 'tenants/all.yaml': text, 'tenantry.yaml': platform({}) }, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/all\.yaml:4:\d+ .*, got 'gold' \(2 tenants name it: a, b\)$/,
      ),
    ]);
    fleet.remove('tenantry.yaml');
    expect(fleet.render().problems).toHaveLength(1);
  });
});

test('a cluster that many name and the platform lacks is reported in the platform file', () => {
  const more = { clusters: [{ name: 'us1' }], defaultClusters: ['us1'] };
  withFleet(fleetWith({}, more), (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenantry\.yaml:\d+:\d+ spec\.clusters must hold 'eu1', which 8 files name \(.*\), got us1$/,
      ),
    ]);
  });
});

test('a class whose name differs from the one that many choose is reported at the class', () => {
  withFleet(fleetWith(), (fleet) => {
    fleet.write({
      [CLASS]: tenantClass('standrad', soundClass),
      [PLATFORM]: platform({ ...soundPlatform, defaultClass: 'standrad' }),
    });
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/classes\/standard\.yaml:3:18 metadata\.name must be a name in use, got 'standrad'; did you mean 'standard', which 10 files name/,
      ),
    ]);
  });
});

test('a mistake of one tenant is reported at the tenant, whatever others declare', () => {
  const own = {
    'tenants/team-00.yaml': tenant('team-00', {
      environment: 'prodd',
      clusters: ['eu2'],
      contact: { teem: 'x' },
    }),
    'tenants/team-01.yaml': tenant('team-01', { className: 'standrad' }),
    'tenants/team-02.yaml': tenant('team-02', { podSecurity: { enforce: 'privileged' } }),
  };
  withFleet({ ...fleetWith(), ...own }, (fleet) => {
    expect(
      fleet.render().problems.map((one) => one.split(' must ')[0]!.replace(/:\d+:\d+/, '')),
    ).toEqual([
      'tenants/team-00.yaml spec.environment',
      'tenants/team-00.yaml spec.clusters',
      'tenants/team-00.yaml spec.contact.teem',
      'tenants/team-01.yaml spec.className',
      'tenants/team-02.yaml spec.podSecurity.enforce',
    ]);
  });
});

test('two names that differ by a number are two names, and the files with the unknown one are reported', () => {
  const eu2 = { clusters: ['eu2'] };
  const own = { 'tenants/a.yaml': tenant('a', eu2), 'tenants/b.yaml': tenant('b', eu2) };
  const more = { clusters: [{ name: 'eu1' }, { name: 'eu3' }] };
  withFleet({ ...fleetWith({}, more), ...own }, (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenantry\.yaml:\d+:\d+ spec\.clusters must hold 'eu2', which 2 files name/,
      ),
    ]);
  });
});

test('a class that requires a value from its tenants accepts those that set it', () => {
  const asking = tenantClass('asking', { ceilings: { podSecurity: 'restricted' } });
  const say = (enforce?: string) => ({
    className: 'asking',
    ...(enforce && { podSecurity: { enforce } }),
  });
  const files = {
    ...fleetWith(),
    'tenants/classes/asking.yaml': asking,
    'tenants/a.yaml': tenant('a', say('restricted')),
  };
  withFleet(files, (fleet) => {
    expect(fleet.render().problems).toEqual([]);
    fleet.write({ 'tenants/b.yaml': tenant('b', say()) });
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/b\.yaml:\d+:\d+ spec\.className must be at least restricted/,
      ),
    ]);
    fleet.write({ 'tenants/c.yaml': tenant('c', say()) });
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/classes\/asking\.yaml:\d+:\d+ spec\.ceilings\.podSecurity must fit the defaults of the class, or be met by each tenant, got 2 tenants that do not set it \(b, c\): must be at least restricted/,
      ),
    ]);
  });
});

test('a tenant that sets a refused value is reported, even if others do not set it', () => {
  const files = {
    [PLATFORM]: platform({
      clusters: [{ name: 'eu1' }, { name: 'us1' }],
      defaultClusters: ['us1'],
    }),
    [CLASS]: tenantClass('standard', {
      allow: { clusters: ['eu1'] },
      ceilings: { quota: { pods: 10, 'count/jobs.batch': 5 } },
    }),
    ...Object.fromEntries(
      ['a', 'b'].map((name) => [
        `tenants/${name}.yaml`,
        tenant(name, {
          className: 'standard',
          clusters: ['us1'],
          quota: { hard: { pods: 11, 'count/jobs.batch': 6 } },
        }),
      ]),
    ),
    ...Object.fromEntries(
      ['c', 'd'].map((name) => [`tenants/${name}.yaml`, tenant(name, { className: 'standard' })]),
    ),
  };
  withFleet(files, (fleet) => {
    expect(
      fleet.render().problems.map((one) => one.split(' must ')[0]!.replace(/:\d+:\d+/, '')),
    ).toEqual([
      ...['a', 'b'].flatMap((name) => [
        `tenants/${name}.yaml spec.className`,
        `tenants/${name}.yaml spec.quota.hard.pods`,
        `tenants/${name}.yaml spec.quota.hard["count/jobs.batch"]`,
      ]),
      'tenants/classes/standard.yaml spec.allow.clusters',
      'tenants/classes/standard.yaml spec.ceilings.quota.pods',
      'tenants/classes/standard.yaml spec.ceilings.quota["count/jobs.batch"]',
    ]);
  });
});

const GOLD = 'tenants/classes/gold.yaml';
/** Returns a fleet in which ten of the twenty tenants use a class that extends the one of the others. */
const extendedBy = (gold: object, klass: object = {}) => ({
  ...fleetWith(klass),
  [GOLD]: tenantClass('gold', { extends: 'standard', ...gold }),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `tenants/gold-${i}.yaml`,
      tenant(`gold-${i}`, { className: 'gold', ...(i === 0 && { environment: 'prod' }) }),
    ]),
  ),
});

test.each<[string, object, string]>([
  [
    'a value above a ceiling',
    inDefaults({ quota: { hard: { pods: 101 } } }),
    'spec.defaults.quota.hard.pods',
  ],
  [
    'a ceiling below a value',
    { ceilings: { limits: { memory: '512Mi' } } },
    'spec.ceilings.limits.memory',
  ],
  ['a quota preset', { defaults: { quota: { preset: 'smal' } } }, 'spec.defaults.quota.preset'],
  [
    'a preset',
    { presets: { quotas: [{ name: 'small', hard: { podz: 1 } }] } },
    'spec.presets.quotas[0].hard.podz',
  ],
  [
    'an environment',
    { environments: [{ name: 'prodd', labels: { a: 'b' } }] },
    'spec.environments[0].name',
  ],
  ['what it extends', { extends: 'standart' }, 'spec.extends'],
])('one mistake in a class that extends another is one problem, there: %s', (_what, gold, path) => {
  withFleet(extendedBy({}), (fleet) => {
    expect(fleet.render().problems).toEqual([]);
    fleet.write(extendedBy(gold));
    const { problems } = fleet.render();
    expect(problems).toEqual([expect.stringMatching(/^tenants\/classes\/gold\.yaml:\d+:\d+ /)]);
    expect(problems[0]).toContain(` ${path} must `);
  });
});

test('a mistake in a class that another one extends is reported only there', () => {
  const change = inDefaults({ quota: { preset: 'smal' } });
  withFleet(extendedBy({ ceilings: { namespaces: 3 } }, change), (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/classes\/standard\.yaml:\d+:\d+ spec\.defaults\.quota\.preset must/,
      ),
    ]);
  });
});

test('a requirement of a class also applies to tenants of a class that extends it', () => {
  const asking = {
    ...inDefaults({ podSecurity: undefined }),
    ceilings: { podSecurity: 'restricted' },
  };
  withFleet(extendedBy({}, asking), (fleet) => {
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/classes\/standard\.yaml:\d+:\d+ spec\.ceilings\.podSecurity must .*, got 30 tenants that do not set it/,
      ),
    ]);
  });
});

test('a questionable value in a class is one warning, also for tenants of a class that extends it', () => {
  const odd = inDefaults({ quota: { hard: { 'requests.cpu': 4, 'limits.cpu': 2 } } });
  withFleet(extendedBy({}, odd), (fleet) => {
    expect(fleet.render().warnings).toEqual([
      expect.stringMatching(
        /classes\/standard\.yaml:\d+:\d+ spec\.defaults\.quota\.hard\["limits\.cpu"\]/,
      ),
    ]);
  });
});

test('a class in a file may extend one of TypeScript, and is validated with it', () => {
  const files = {
    [GOLD]: tenantClass('gold', { extends: 'base', ceilings: { quota: { pods: 5 } } }),
    'tenants/a.yaml': tenant('a', { className: 'gold' }),
    'tenants/b.yaml': tenant('b', { className: 'gold' }),
  };
  withFleet(files, (fleet) => {
    const { problems } = fleet.render({
      add(app) {
        new TenantClass(app, 'base', { defaults: { quota: { hard: { pods: 9 } } } });
        for (const name of ['c', 'd']) new Tenant(app, name, { className: 'gold' });
      },
    });
    expect(problems).toEqual([
      expect.stringMatching(/^tenants\/classes\/gold\.yaml:4:\d+ spec\.ceilings\.quota\.pods must/),
    ]);
  });
});

test('a questionable value in a class is one warning, and not one per tenant', () => {
  const odd = inDefaults({ quota: { hard: { 'requests.cpu': 4, 'limits.cpu': 2 } } });
  withFleet(fleetWith(odd), (fleet) => {
    expect(
      fleet
        .render()
        .summary!.warnings.map(({ file, path }) => [file!.replace(`${fleet.folder}/`, ''), path]),
    ).toEqual([[CLASS, 'spec.defaults.quota.hard["limits.cpu"]']]);
  });
});

test('an undefined name that many tenants in TypeScript use is reported once, at the first of them', () => {
  withFleet({}, (fleet) => {
    const collectProblems = (...names: string[]) =>
      fleet.render({
        add(app) {
          for (const name of names) {
            new Tenant(app, name, { className: 'standrad', clusters: ['eu1'] });
          }
        },
      }).problems;
    expect(collectProblems('a', 'b', 'c')).toEqual([
      expect.stringMatching(
        / \[a\] spec\.className .*, got 'standrad' \(3 tenants name it: a, b, c\)$/,
      ),
      expect.stringMatching(/, got 'eu1' \(3 tenants name it: a, b, c\)$/),
    ]);
    expect(collectProblems('a')).toEqual([
      expect.stringMatching(/, got 'standrad'$/),
      expect.stringMatching(/, got 'eu1'$/),
    ]);
  });
});

test('a mistake in a class in TypeScript is one problem, whichever tenants choose it', () => {
  withFleet(
    {
      'tenants/a.yaml': tenant('a', { className: 'batch' }),
      'tenants/b.yaml': tenant('b', { className: 'batch' }),
    },
    (fleet) => {
      const { problems } = fleet.render({
        add(app) {
          new TenantClass(app, 'batch', { defaults: { quota: { preset: 'nightly' } } });
          for (const name of ['c', 'd']) new Tenant(app, name, { className: 'batch' });
        },
      });
      expect(problems).toEqual([expect.stringContaining('spec.defaults.quota.preset must be')]);
    },
  );
});
