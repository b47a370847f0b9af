import type { NewFile } from '../new-files/write-new-files.ts';
import { listOwners, type RepositoryAnswers, type RepositoryFolder } from './answers.ts';
import { formatYamlString, quote } from './literals.ts';

/** Where the declarations are, for messages and for the list of files. */
export const places = {
  platform: 'tenantry.yaml',
  class: 'tenants/classes/standard.yaml',
  tenant: (name: string): string => `tenants/${name}.yaml`,
};

/** Shown in a comment if the address of the repository is not known. */
export const EXAMPLE_REPOSITORY = 'https://git.example.com/platform/tenants.git';

/** Renders the platform file. */
export function renderPlatform(answers: RepositoryAnswers, { prefix }: RepositoryFolder): NewFile {
  const { name, cluster, server } = answers;
  const text = `# What applies to all tenants, and the clusters on which they are.
# Every field: node_modules/tenantry/docs/reference/platform.md
apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata:
  name: ${formatYamlString(name)}
spec:
  clusters:
    # The name is a folder in dist/. If you change it later, every file moves, and Argo CD treats a
    # moved file as a deleted object.
    - name: ${formatYamlString(cluster)}
      server: ${formatYamlString(server)}
  defaultClass: standard
  environments: [dev, prod]
${renderDelegation(answers)}${renderArgoCd(answers, prefix === '' ? 'dist' : `${prefix}/dist`)}`;
  return { path: places.platform, text };
}

/** Without owners there is nothing to delegate. */
function renderDelegation(answers: RepositoryAnswers): string {
  const owners = listOwners(answers);
  if (owners.length === 0) return '';
  return `  # Who must agree to changes of the platform. With folders, teams decide about their own tenants:
  # node_modules/tenantry/docs/review.md
  delegation:
    owners: [${owners.map(quote).join(', ')}]
`;
}

function renderArgoCd({ repository, branch }: RepositoryAnswers, outputFolder: string): string {
  const isKnown = repository !== undefined;
  const comment = isKnown
    ? '# With a source, dist/argocd/ has what Argo CD needs to sync dist/clusters/.'
    : '# Set the address of this repository: dist/argocd/ then has what Argo CD needs to sync dist/clusters/.';
  const url = repository ?? EXAMPLE_REPOSITORY;
  const lines = [
    'argocd:',
    '  source:',
    `    repoURL: ${formatYamlString(url)}`,
    `    targetRevision: ${formatYamlString(branch)}`,
    `    path: ${formatYamlString(outputFolder)}`,
  ];
  return [comment, ...lines.map((line) => (isKnown ? line : `# ${line}`))]
    .map((line) => `  ${line}\n`)
    .join('');
}

/** Renders the class of the tenants. */
export function renderClass(): NewFile {
  const text = `# What tenants share, and the limits that none of them may exceed.
# Every field: node_modules/tenantry/docs/reference/tenantclass.md
apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata:
  name: standard
spec:
  description: Product teams
  presets:
    quotas:
      - name: small
        hard:
          pods: 20
          requests.cpu: '2'
          requests.memory: 8Gi
          limits.memory: 16Gi
          requests.storage: 50Gi
          persistentvolumeclaims: 5
          services.loadbalancers: 0
          services.nodeports: 0
      - name: medium
        hard:
          pods: 100
          requests.cpu: '16'
          requests.memory: 64Gi
          limits.memory: 128Gi
          requests.storage: 500Gi
          persistentvolumeclaims: 20
          services.loadbalancers: 0
          services.nodeports: 0
  defaults:
    quota: { preset: small }
    podSecurity: { enforce: baseline, warn: restricted }
    network: { isolation: SameTenant }
  environments:
    - name: prod
      quota: { preset: medium }
  ceilings:
    namespaces: 5
    quota: { pods: 300, requests.cpu: '48', requests.memory: 192Gi }
    podSecurity: baseline
    network: { isolation: SameTenant }
`;
  return { path: places.class, text };
}

/** Renders the first tenant. */
export function renderTenant({ tenant, admins }: RepositoryAnswers): NewFile {
  const access =
    admins === undefined
      ? `  # Nobody has access yet. Name a group as the clusters know it:
  # access:
  #   admins: { groups: ['example:team'] }
`
      : `  access:
    admins: { groups: [${quote(admins)}] }
`;
  const [dev, prod] = [`${tenant}-dev`, `${tenant}-prod`].map(formatYamlString);
  const text = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: ${formatYamlString(tenant)}
spec:
  namespaces:
    - { name: ${dev}, environment: dev }
    - { name: ${prod}, environment: prod, quota: { hard: { pods: 80 } } }
${access}`;
  return { path: places.tenant(tenant), text };
}
