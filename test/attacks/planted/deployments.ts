import type { Texts } from '../../synth/output/folders.ts';
import type { Planted } from './plant.ts';

const PROJECT = 'argocd/tenants/mallory/project.yaml';
const CLUSTER_PROJECT = 'argocd/projects/eu1/mallory.yaml';
const own = 'https://git.example.com/mallory/deploy.git';
const account = 'tenantry-system:sync.mallory';

/** Returns the text of the project of a tenant whose class allows a repository. */
const project = (rule: string, from: string, to: string): Planted => ({
  klass: 'edited',
  files: ({ [PROJECT]: text = '', ...files }: Texts) => {
    if (!text.includes(from)) throw new Error(`the project must hold ${from}`);
    return { ...files, [PROJECT]: text.replace(from, to) };
  },
  rule,
});

/** Returns the text of the project in which Argo CD syncs the rendered files of a tenant to a cluster. */
const clusterProject = (rule: string, from: string, to: string): Planted => ({
  files: ({ [CLUSTER_PROJECT]: text = '', ...files }: Texts) => {
    if (!text.includes(from)) throw new Error(`the project must hold ${from}`);
    return { ...files, [CLUSTER_PROJECT]: text.replace(from, to) };
  },
  rule,
});

/** A role without subjects: no group is declared. */
const role = (rule: string, policy: string, group = 'github:mallory', name = 'viewers') =>
  project(
    rule,
    '\nspec:\n',
    `\nspec:\n  roles: [${JSON.stringify({ name, groups: [group], policies: [policy] })}]\n`,
  );
const policy = (rest: string, name = 'viewers') => `p, proj:tenant-mallory:${name}, ${rest}`;
const get = policy('applications, get, tenant-mallory/*, allow');

const application = (rule: string, more: object, name = 'mallory-dev.eu1.web'): Planted => {
  const labels = { 'app.kubernetes.io/managed-by': 'tenantry', 'tenantry.dev/tenant': 'mallory' };
  const spec = {
    project: 'tenant-mallory',
    source: { repoURL: own, path: '.' },
    destination: { namespace: 'mallory-dev', server: 'https://kubernetes.default.svc' },
    ...more,
  };
  const metadata = { labels, name, namespace: 'argocd' };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec };
  return {
    klass: 'edited',
    files: (files) => ({
      ...files,
      'argocd/tenants/mallory/applications.yaml': `${JSON.stringify(object)}\n`,
    }),
    rule,
  };
};

export const deployments: Readonly<Record<string, Planted>> = {
  'a repository of another tenant': project(
    'argocd/repository',
    own,
    'https://git.example.com/victim/deploy.git',
  ),
  'every repository': project('argocd/repository', `- ${own}`, "- '*'"),
  'a destination of another tenant': project(
    'argocd/destination',
    'namespace: mallory-dev',
    'namespace: victim-dev',
  ),
  'an unknown destination': project(
    'argocd/destination',
    'https://kubernetes.default.svc',
    'https://elsewhere.example.com',
  ),
  'the account of another tenant': project(
    'argocd/account',
    account,
    'tenantry-system:sync.victim',
  ),
  'every kind': project('argocd/kind', 'kind: ConfigMap', "kind: '*'"),
  'a kind that grants rights': project('argocd/kind', 'kind: ConfigMap', 'kind: RoleBinding'),
  'cluster-scoped kinds': project(
    'argocd/field',
    '\nspec:\n',
    "\nspec:\n  clusterResourceWhitelist: [{ group: '*', kind: '*' }]\n",
  ),
  'the project of another tenant': project(
    'argocd/name',
    'name: tenant-mallory',
    'name: tenant-victim',
  ),
  'a project elsewhere': project('argocd/object', 'namespace: argocd', 'namespace: mallory-dev'),
  "a namespace of another tenant for the attacker's folder": clusterProject(
    'argocd/destination',
    '- namespace: mallory-dev',
    '- namespace: victim-dev',
  ),
  'every namespace for her folder': clusterProject(
    'argocd/destination',
    '- namespace: mallory-dev',
    "- namespace: '*'",
  ),
  "a Namespace object of another tenant for the attacker's folder": clusterProject(
    'argocd/kind',
    'name: mallory-dev',
    'name: victim-dev',
  ),
  'every cluster-scoped kind for her folder': clusterProject(
    'argocd/kind',
    'kind: Tenant',
    "kind: '*'",
  ),
  "Argo CD's own kinds for her folder": clusterProject(
    'argocd/kind',
    'group: argoproj.io\n    kind',
    'group: example.com\n    kind',
  ),
  'another repository for her folder': clusterProject(
    'argocd/repository',
    'https://git.example.com/platform/tenants.git',
    own,
  ),
  'a project that is deleted before what was synced in it': clusterProject(
    'argocd/finalizer',
    'resources-finalizer.argocd.argoproj.io',
    'example.com/none',
  ),
  "a field of projects that nobody gives to a tenant's folder": clusterProject(
    'argocd/field',
    '\nspec:\n',
    '\nspec:\n  permitOnlyProjectScopedClusters: false\n',
  ),
  'a role for a group without access': role('argocd/group', get),
  'a group that is the name of another role': role('argocd/group', get, 'a, proj:x:y'),
  'a group that Argo CD cannot parse': role('argocd/group', get, 'a"b'),
  'a role for every reader': role('argocd/group', get, 'role:readonly'),
  'an action that the class does not allow': role(
    'argocd/role',
    policy('applications, sync, tenant-mallory/*, allow'),
  ),
  'a shell in pods': role('argocd/role', policy('exec, create, tenant-mallory/*, allow')),
  'every action': role('argocd/role', policy('applications, *, tenant-mallory/*, allow')),
  'a role for Applications of another tenant': role(
    'argocd/role',
    policy('applications, get, tenant-victim/*, allow'),
  ),
  'a role for namespaces with a common prefix': role(
    'argocd/role',
    policy('applications, get, tenant-mallory/mallory-dev*, allow', 'viewers-mallory-dev'),
    'github:mallory',
    'viewers-mallory-dev',
  ),
  'a role for the namespace of another tenant': role(
    'argocd/role',
    policy('applications, get, tenant-mallory/victim-dev.*, allow', 'viewers-victim-dev'),
    'github:mallory',
    'viewers-victim-dev',
  ),
  'an Application in the project that allows everything': application('argocd/project', {
    project: 'default',
  }),
  'an Application with the name of another one': application(
    'argocd/name',
    {},
    'victim-dev.eu1.web',
  ),
  'an Application for the namespace of another tenant': application('argocd/destination', {
    destination: { namespace: 'victim-dev', server: 'https://kubernetes.default.svc' },
  }),
  'a path out of the repository': application('argocd/path', {
    source: { repoURL: own, path: '../x' },
  }),
  'a plugin': application('argocd/field', {
    source: { repoURL: own, path: '.', plugin: { name: 'x' } },
  }),
  'an option of git': application('argocd/revision', {
    source: { repoURL: own, path: '.', targetRevision: '--upload-pack=x' },
  }),
};
