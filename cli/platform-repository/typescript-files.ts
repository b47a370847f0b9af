import type { NewFile } from '../new-files/write-new-files.ts';
import type { RepositoryAnswers } from './answers.ts';
import { quote } from './literals.ts';

/** Renders the app of a repository in TypeScript: the class and the tenant as constructs, and a test of them. */
export function renderTypeScript(answers: RepositoryAnswers): NewFile[] {
  return [
    { path: 'cdk8s.yaml', text: 'language: typescript\napp: node main.ts\n' },
    { path: 'tsconfig.json', text: compilerOptions },
    { path: 'main.ts', text: main },
    { path: 'tenants.ts', text: renderTenants(answers) },
    { path: 'tenants.test.ts', text: renderTest(answers) },
    // Declarations in YAML may be here, too. The folder must exist.
    { path: 'tenants/.gitkeep', text: '' },
  ];
}

/** Node runs the files directly, so the compiler only checks them. */
const compilerOptions = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  },
  "include": ["*.ts"]
}
`;

const main = `import { App, declareFleet } from 'tenantry';
import { declareTenants } from './tenants.ts';

const app = new App();
// The platform file, and what is declared in tenants/.
declareFleet(app);
declareTenants(app);
app.synth();
`;

const standardClass = `  new TenantClass(scope, 'standard', {
    description: 'Product teams',
    presets: {
      quotas: [
        {
          name: 'small',
          hard: {
            pods: 20,
            'requests.cpu': '2',
            'requests.memory': '8Gi',
            'limits.memory': '16Gi',
            'requests.storage': '50Gi',
            persistentvolumeclaims: 5,
            'services.loadbalancers': 0,
            'services.nodeports': 0,
          },
        },
        {
          name: 'medium',
          hard: {
            pods: 100,
            'requests.cpu': '16',
            'requests.memory': '64Gi',
            'limits.memory': '128Gi',
            'requests.storage': '500Gi',
            persistentvolumeclaims: 20,
            'services.loadbalancers': 0,
            'services.nodeports': 0,
          },
        },
      ],
    },
    defaults: {
      quota: { preset: 'small' },
      podSecurity: { enforce: 'baseline', warn: 'restricted' },
      network: { isolation: 'SameTenant' },
    },
    environments: [{ name: 'prod', quota: { preset: 'medium' } }],
    ceilings: {
      namespaces: 5,
      quota: { pods: 300, 'requests.cpu': '48', 'requests.memory': '192Gi' },
      podSecurity: 'baseline',
      network: { isolation: 'SameTenant' },
    },
  });
`;

function renderTenants({ tenant, admins }: RepositoryAnswers): string {
  const access =
    admins === undefined
      ? `      // Nobody has access yet. Name a group as the clusters know it:
      // access: { admins: { groups: ['example:team'] } },
`
      : `      access: { admins: { groups: [${quote(admins)}] } },
`;
  const [dev, prod] = [`${tenant}-dev`, `${tenant}-prod`].map(quote);
  return `import type { Construct } from 'constructs';
import { Tenant, TenantClass } from 'tenantry';

/** Declares the class of the tenants, and the tenants. */
export function declareTenants(scope: Construct): readonly Tenant[] {
${standardClass}  return [
    new Tenant(scope, ${quote(tenant)}, {
      namespaces: [
        { name: ${dev}, environment: 'dev' },
        { name: ${prod}, environment: 'prod', quota: { hard: { pods: 80 } } },
      ],
${access}    }),
  ];
}
`;
}

function renderTest({ tenant }: RepositoryAnswers): string {
  const [dev, prod] = [`${tenant}-dev`, `${tenant}-prod`].map(quote);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Testing } from 'cdk8s';
import { App, declareFleet, type TenantNamespace } from 'tenantry';
import { declareTenants } from './tenants.ts';

interface Rendered {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly hard?: { readonly pods?: string } };
}

/** Returns the number of pods that may run in a namespace. */
function findPods(namespace: TenantNamespace): string | undefined {
  const objects: readonly Rendered[] = Testing.synth(namespace);
  return objects.find(({ metadata }) => metadata.name === 'tenant-quota')?.spec?.hard?.pods;
}

test('production may run more pods than development', () => {
  const app = new App();
  declareFleet(app);
  const [tenant] = declareTenants(app);
  assert.ok(tenant);
  assert.equal(findPods(tenant.namespace(${dev})), '20');
  assert.equal(findPods(tenant.namespace(${prod})), '80');
});
`;
}
