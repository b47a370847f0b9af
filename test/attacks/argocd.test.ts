import { tenant } from '../apps/fleet.ts';
import { attempts, type Attempt } from './attempt.ts';

const own = 'https://git.example.com/mallory/deploy.git';
const allow = { sourceRepos: ['https://git.example.com/{tenant}/*'] };
const impersonating = { argocd: { impersonation: 'Enabled' } };

const deploys = (argocd: object, refused?: string, more: Partial<Attempt> = {}): Attempt => ({
  klass: { allow },
  platform: impersonating,
  ...more,
  tenant: { ...more.tenant, argocd: { sourceRepos: [own], ...argocd } },
  ...(refused !== undefined && { refused }),
});

const application = (source: object, more: object = {}) => ({
  applications: [{ name: 'x', source: { repoURL: own, path: '.', ...source }, ...more }],
});
const window = (fields: object) => ({
  syncWindows: [{ kind: 'deny', schedule: '0 0 * * *', duration: '1h', ...fields }],
});

const inArgoCD = (group: string): Partial<Attempt> => ({
  klass: { allow, argocd: { roles: { viewers: ['get'] } } },
  tenant: { access: { viewers: { groups: [group] } } },
});

// Argo CD treats fields of projects as patterns, fills templates, and applies as cluster-admin.
attempts({
  "a tenant's own repository": deploys(application({})),
  'a repository of another tenant': deploys(
    { sourceRepos: ['https://git.example.com/alice/deploy.git'] },
    'argocd-repository',
  ),
  "a repository of a tenant whose name has this one's as a prefix": deploys(
    { sourceRepos: ['https://git.example.com/mallory-2/deploy.git'] },
    'argocd-repository',
  ),
  'every repository': deploys({ sourceRepos: ['*'] }, 'schema'),
  'every repository of a host': deploys({ sourceRepos: ['https://git.example.com/**'] }, 'schema'),
  'a pattern of alternatives': deploys(
    { sourceRepos: ['https://git.example.com/{mallory,alice}/x'] },
    'schema',
  ),
  'a pattern that denies nothing else': deploys(
    { sourceRepos: ['!https://git.example.com/x'] },
    'schema',
  ),
  "a path out of the tenant's folder": deploys(
    { sourceRepos: ['https://git.example.com/mallory/../alice/x.git'] },
    'schema',
  ),
  'a path out of it in percent encoding': deploys(
    { sourceRepos: ['https://git.example.com/mallory/%2e%2e/alice/x.git'] },
    'schema',
  ),
  'another host before an @': deploys(
    { sourceRepos: ['https://git.example.com/mallory/@evil.example.com/x'] },
    'schema',
  ),
  'a user and password': deploys(
    { sourceRepos: ['https://a:b@git.example.com/mallory/x'] },
    'schema',
  ),
  'a file of the repo server': deploys({ sourceRepos: ['file:///etc'] }, 'schema'),
  'a placeholder that only a class may use': deploys(
    { sourceRepos: ['https://git.example.com/{tenant}/x'] },
    'schema',
  ),
  'an Application of a repository of others': deploys(
    application({ repoURL: 'https://git.example.com/alice/deploy.git' }),
    'argocd-repository',
  ),
  'an Application for the namespace of Argo CD': deploys(
    application({}, { namespaces: ['argocd'] }),
    'argocd-application',
  ),
  'an Application for the namespace of another tenant': deploys(
    application({}, { namespaces: ['alice'] }),
    'argocd-application',
    { files: { 'tenants/alice.yaml': tenant('alice') } },
  ),
  "an Application in a project of the author's choice": deploys(
    { applications: [{ name: 'x', project: 'default', source: { repoURL: own, path: '.' } }] },
    'schema',
  ),
  'an Application with a name of two parts': deploys(
    { applications: [{ name: 'alice.web', source: { repoURL: own, path: '.' } }] },
    'schema',
  ),
  'a path out of the repository': deploys(application({ path: '../../etc' }), 'schema'),
  'a template of Argo CD in a path': deploys(application({ path: '{{.path.path}}' }), 'schema'),
  'a template in a folder of a set': deploys(
    { applicationSets: [{ name: 'x', repoURL: own, directories: ['{{.x}}'] }] },
    'schema',
    { klass: { allow: { ...allow, applicationSets: 'Allow' } } },
  ),
  'a template in a revision': deploys(application({ targetRevision: '{{ .x }}' }), 'schema'),
  'an option of git in a revision': deploys(
    application({ targetRevision: '--upload-pack=x' }),
    'schema',
  ),
  'a plugin of the repo server': deploys(application({ plugin: { name: 'x' } }), 'schema'),
  'as many Applications as she has folders': deploys(
    { applicationSets: [{ name: 'x', repoURL: own, directories: ['*'] }] },
    'argocd-application',
  ),
  'every kind': deploys({ namespaceResourceWhitelist: [{ group: '*', kind: '*' }] }, 'schema'),
  Namespaces: deploys(
    { namespaceResourceWhitelist: [{ group: '', kind: 'Namespace' }] },
    'argocd-kind',
  ),
  'RoleBindings that Argo CD would write': deploys(
    { namespaceResourceWhitelist: [{ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }] },
    'argocd-kind',
  ),
  'kinds that lie in no namespace': deploys(
    { clusterResourceWhitelist: [{ group: '*', kind: '*' }] },
    'schema',
  ),
  'more destinations': deploys({ destinations: [{ server: '*', namespace: '*' }] }, 'schema'),
  'another account to sync as': deploys(
    {
      destinationServiceAccounts: [
        { defaultServiceAccount: 'argocd:argocd-application-controller' },
      ],
    },
    'schema',
  ),
  'Applications that her people write, unasked': deploys(
    { sourceNamespaces: ['mallory'] },
    'argocd-application',
  ),
  'Applications that people write elsewhere': deploys({ sourceNamespaces: ['/.*/'] }, 'schema', {
    klass: { allow: { ...allow, sourceNamespaces: 'Allow' } },
  }),
  'a window that allows what the class does not': deploys(
    { ...window({ kind: 'allow', duration: '24h' }) },
    'argocd-sync-window',
    {
      klass: {
        allow,
        defaults: { argocd: window({ kind: 'allow' }) },
      },
    },
  ),
  'a window that denies more': deploys(window({}), undefined, {
    klass: { allow, defaults: { argocd: window({ kind: 'allow' }) } },
  }),
  'a template in the text of a window': deploys(window({ description: '{{.x}}' }), 'schema'),
  'a command to Argo CD in the text of a window': deploys(
    window({ description: '+argocd:skip-file-rendering' }),
    'steering-text',
  ),
  'rights for the account that syncs for another tenant': deploys({}, 'foreign-service-account', {
    tenant: {
      access: {
        admins: { serviceAccounts: [{ namespace: 'tenantry-system', name: 'sync.alice' }] },
      },
    },
  }),
  'a group that is a role of Argo CD': deploys({}, 'argocd-group', inArgoCD('role:admin')),
  'a group that ends a CSV field': deploys({}, 'argocd-group', inArgoCD('a", proj:x:y, "')),
  'a group with commas': deploys({}, undefined, inArgoCD('CN=mallory,OU=teams')),
  'repositories on a platform without impersonation in Argo CD': deploys(
    {},
    'argocd-impersonation',
    {
      platform: {},
    },
  ),
});
