import type { PolicyRule } from '../../crds/access.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { attempts, type Attempt } from './attempt.ts';
import { foreignRights, kubernetesRights } from './rights.ts';

/** An attempt to declare a Role with this rule and to bind it to its author. */
const role = (rule: PolicyRule): Attempt => ({
  tenant: { access: { roles: [{ name: 'own', rules: [rule], users: ['mallory'] }] } },
});

/** `create roles.rbac.authorization.k8s.io`, `get pods/exec`. */
const to = (words: string): Attempt => {
  const [verb = '', what = ''] = words.split(' ');
  const [plural = '', subresource] = what.split('/');
  const [resource = '', ...group] = plural.split('.');
  return role({
    apiGroups: [group.join('.')],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    verbs: [verb],
  });
};

const under = (klass: TenantClassSpec, words: string, refused?: string): Attempt => ({
  ...to(words),
  klass,
  ...(refused !== undefined && { refused }),
});

const beyond = 'ceiling-roles';

// A class without a ceiling for roles forbids what Kubernetes' `admin` lacks.
attempts(
  Object.fromEntries(
    [...kubernetesRights, ...foreignRights].map(({ what, group, resource, verb }) => [
      `a role to ${what}`,
      {
        ...role({ apiGroups: [group], resources: [resource], verbs: [verb] }),
        refused: beyond,
      },
    ]),
  ),
);

attempts({
  'a right among many harmless ones': {
    ...role({
      apiGroups: ['', 'apps', 'discovery.k8s.io'],
      resources: ['pods', 'deployments', 'endpointslices'],
      verbs: ['get', 'patch'],
    }),
    refused: beyond,
  },
  'a right on one object by its name': {
    ...role({
      apiGroups: [''],
      resources: ['services/status'],
      resourceNames: ['web'],
      verbs: ['patch'],
    }),
    refused: beyond,
  },
  'a resource next to the group that has it': {
    ...role({ apiGroups: ['apps'], resources: ['endpointslices'], verbs: ['create'] }),
    refused: beyond,
  },
  'to act as a service account, which admin may': {
    ...to('impersonate serviceaccounts'),
    refused: 'escalation',
  },
  'to read who has which rights': to('list rolebindings.rbac.authorization.k8s.io'),
  'to read endpoints': to('watch endpointslices.discovery.k8s.io'),
  'to read the status of pods': to('get pods/status'),
  "to open a shell in the tenant's own pods": to('create pods/exec'),
  'to scale': to('patch deployments.apps/scale'),
});

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

// Rules that cannot be declared, and names that are taken.
attempts({
  'a right on paths of the API server': {
    ...role({ ...pods, nonResourceURLs: ['/metrics'] } as PolicyRule),
    refused: 'schema',
  },
  'every resource': { ...role({ ...pods, resources: ['*'] }), refused: 'schema' },
  'the subresources of every resource': {
    ...role({ ...pods, resources: ['*/status'] }),
    refused: 'schema',
  },
  'a group of Kubernetes under another name': {
    ...role({ ...pods, apiGroups: ['core'] }),
    refused: beyond,
  },
  'other rules in the name of a role of the class': {
    ...role({ ...pods, verbs: ['delete'] }),
    klass: {
      presets: { roles: [{ name: 'own', rules: [pods] }] },
      defaults: { access: { roles: [{ preset: 'own', groups: ['auditors'] }] } },
    },
    refused: 'role-conflict',
  },
  'the name of a binding of the class': {
    tenant: {
      access: {
        roles: [
          {
            name: 'own',
            rules: [pods],
            users: ['mallory'],
            bindingName: 'tenant-clusterrole-view',
          },
        ],
      },
    },
    klass: { defaults: { access: { viewers: { groups: ['auditors'] } } } },
    refused: 'binding-conflict',
  },
  'the name of a ClusterRole, which a Role does not change': {
    tenant: { access: { roles: [{ name: 'cluster-admin', rules: [pods], users: ['mallory'] }] } },
  },
});

const own = { admins: 'example:admin', editors: 'example:edit' };

// docs/guard.md: a right that no role of the class has is kept from everyone.
attempts({
  'network policies if the class withholds them from its admins': under(
    { roles: own },
    'create networkpolicies.networking.k8s.io',
    beyond,
  ),
  'role bindings if editors are those of Kubernetes and admins are not': under(
    { roles: { admins: own.admins } },
    'create rolebindings.rbac.authorization.k8s.io',
    beyond,
  ),
  'secrets if only viewers are those of Kubernetes': under({ roles: own }, 'get secrets', beyond),
  'anything if there are no roles': under(
    { roles: { ...own, viewers: 'example:view' } },
    'get pods',
    beyond,
  ),
  'rights of editors if admins have a custom role': under(
    { roles: { admins: own.admins } },
    'create networkpolicies.networking.k8s.io',
  ),
  'roles that the class lets tenants bind in addition': under(
    { roles: own, allow: { clusterRoles: ['edit'] } },
    'create networkpolicies.networking.k8s.io',
  ),
  'the roles that the ceiling of the class lists': under(
    { roles: own, ceilings: { roles: [{ clusterRole: 'admin' }] } },
    'create networkpolicies.networking.k8s.io',
  ),
});

const reading: TenantClassSpec = {
  ceilings: {
    roles: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  },
};

// If only reading is allowed, rights that act are not reading, whatever their verb.
attempts({
  ...Object.fromEntries(
    [
      'get pods/exec',
      'get pods/attach',
      'get pods/portforward',
      'get pods/proxy',
      'get services/proxy',
      'get secrets',
      'list secrets',
      'get serviceaccounts/token',
      'get virtualmachineinstances.subresources.kubevirt.io/console',
      'get things.example.com/proxy',
      'create pods',
      'patch deployments.apps/scale',
    ].map((words) => [`${words}, where only reading is allowed`, under(reading, words, beyond)]),
  ),
  'get pods/log, if only reading is allowed': under(reading, 'get pods/log'),
  'get deployments/scale, if only reading is allowed': under(reading, 'get deployments.apps/scale'),
  'get certificates/status, if only reading is allowed': under(
    reading,
    'get certificates.cert-manager.io/status',
  ),
  'list things, if only reading is allowed': under(reading, 'list things.example.com'),
});

const everything: TenantClassSpec = {
  ceilings: { roles: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
};

// Not even three wildcards cover rights that must be named.
attempts({
  ...Object.fromEntries(
    [...kubernetesRights, ...foreignRights]
      .filter(({ resource, verb }) => verb !== 'get' || resource.includes('/'))
      .map(({ what, group, resource, verb }) => [
        `a role to ${what}, under three wildcards`,
        {
          ...role({ apiGroups: [group], resources: [resource], verbs: [verb] }),
          klass: everything,
          refused: beyond,
        },
      ]),
  ),
  'to write what Kubernetes’ admin writes': under(everything, 'delete deployments.apps'),
});

const named = (name: string): Attempt => ({
  tenant: { access: { admins: { users: [name] } } },
  refused: 'subject-name',
});

// A reviewer of the file sees alice; the API server sees another name.
attempts({
  'a name with an invisible letter': named('alice@example.com\u3164'),
  'a name with a mark that combines with nothing': named('alice\u034f@example.com'),
  'a name with a blank Braille character': named('\u2800alice'),
  'a name of visible letters': { tenant: { access: { admins: { users: ['Ægir 北'] } } } },
});
