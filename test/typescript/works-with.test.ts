import { beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { installCdk8sCli } from '../cdk8s-cli/install.ts';
import type { Ended, Project } from '../cli/project.ts';
import { readPage } from '../docs/pages.ts';
import { whyOffline } from '../packages/online.ts';
import { packed } from '../packages/packed.ts';
import { root } from '../structure/tracked.ts';
import {
  compilerOf,
  installNodes,
  installStock,
  installVersions,
  nodeOf,
  type Installed,
} from './install.ts';
import { inPackedProject, packedCommand } from './packed-project.ts';
import { missing, programs, steps, template, written, type Manifest } from './stock.ts';

const minute = 60_000;
const isLong = process.env['TENANTRY_LONG'] === '1';

/** Returns the supported versions on the page: the cells of a row. */
function claimed(what: string): string[] {
  const { text } = readPage(join('docs', 'typescript.md'));
  const row = text.split('\n').find((line) => line.startsWith(`| ${what} `));
  return [...(row?.split('|')[2]?.matchAll(/[\w.]+/g) ?? [])].map(([cell]) => cell);
}

const messages: string[] = [];
const cdk8s = await installCdk8sCli({ log: (line) => messages.push(line) });
const stock: Installed = cdk8s === undefined ? { missing: messages.at(-1)! } : await installStock();
const offline = await whyOffline();
const later: Installed = { missing: '`npm run test:long` runs it' };
const versions = isLong ? await installVersions() : later;
const nodes = isLong ? await installNodes() : later;

/** Returns `test`, or a skipping one with the reason in its name. */
const given = (needed: Installed, name: string) =>
  'folder' in needed
    ? ([test, name] as const)
    : ([test.skip, `${name} [skipped: ${needed.missing}]`] as const);

/** Returns the Deployment in a file, as text. */
const deployment = (text = ''): string =>
  text.split('---\n').find((one) => one.includes('\nkind: Deployment\n')) ?? '';

let tarballs: readonly string[];

beforeAll(async () => {
  ({ tarballs } = await packed());
}, 5 * minute);

/** Returns the output of a program that must succeed. */
async function output(ended: Promise<Ended>): Promise<string> {
  const { code, out, err } = await ended;
  if (code !== 0) throw new Error(`exit code ${code}:\n${out}${err}`);
  return out;
}

const quiet = { CDK8S_CHECK_UPGRADE: 'false', npm_config_loglevel: 'error' };

/** Makes a project with cdk8s init, and follows the steps of the page. */
async function inStockProject(body: (project: Project) => Promise<void>): Promise<void> {
  const files = template(cdk8s!);
  if ('missing' in stock) throw new Error(stock.missing);
  await inPackedProject({ tarballs, below: stock.folder, files }, async (project) => {
    for (const step of steps.filter((step) => step !== 'npm install tenantry')) {
      await output(project.run('sh', ['-c', step]));
    }
    project.write(written);
    await body(project);
  });
}

/** Imports from the entry points that no snippet of the page uses. */
const entryPoints = `
import { define } from '@tenantry/crd';
import { compileSchema } from '@tenantry/crd/schema';
console.log(typeof define, typeof compileSchema);
`;

const [testStock, stockName] = given(stock, 'npm run build of a project of cdk8s init');

testStock(
  `${stockName} compiles, tests and renders, and the command renders the same`,
  async () => {
    await inStockProject(async (project) => {
      project.write({ ...programs, 'page/packages.ts': entryPoints });
      const path = [dirname(cdk8s!), dirname(process.execPath), process.env['PATH']];
      const env = { ...quiet, PATH: path.join(delimiter) };
      await output(project.run('npm', ['run', 'build'], env));
      const rendered = project.tree('dist');
      const namespace =
        'clusters/in-cluster/tenants/forecast/resources/namespace-forecast-prod.yaml';
      expect(deployment(rendered[namespace])).toContain('\n  namespace: forecast-prod\n');
      expect(deployment(rendered[namespace])).toContain('\n    tenantry.dev/tenant: forecast\n');
      expect(Object.keys(project.tree())).toContain('page/program0.js');

      const checked = await output(project.run(process.execPath, [packedCommand, 'check'], env));
      expect(checked).toMatch(/^1 tenant, .* valid, and dist is up to date/);
      expect(project.tree('dist')).toEqual(rendered);
    });
  },
);

const [testInstall, installName] = given(offline ? { missing: offline } : stock, 'npm install');
testInstall(
  `${installName} of the package into a project of cdk8s init brings no second cdk8s`,
  async () => {
    await inStockProject(async (project) => {
      const manifest = JSON.parse(template(cdk8s!)['package.json']!) as Manifest;
      const { 'cdk8s-cli': _, ...devDependencies } = manifest.devDependencies;
      const lock = join(import.meta.dirname, 'stock', 'package-lock.json');
      project.write({
        'package.json': JSON.stringify({ ...manifest, devDependencies }),
        'package-lock.json': await readFile(lock, 'utf8'),
      });
      const flags = ['--package-lock-only', '--ignore-scripts', '--prefer-offline'];
      await output(project.run('npm', ['install', ...flags, ...tarballs], quiet));
      const locked = await readFile(join(project.folder, 'package-lock.json'), 'utf8');
      const { packages } = JSON.parse(locked) as { packages: object };
      const paths = Object.keys(packages).filter((path) => /\/(cdk8s[^/]*|tenantry)$/.test(path));
      const names = ['cdk8s', 'cdk8s-plus-33', 'tenantry'];
      expect(paths).toEqual(names.map((name) => `node_modules/${name}`));
    });
  },
);

const [testTemplate, templateName] = given(stock, 'the packages of these tests');
testTemplate(`${templateName} are those in the template of cdk8s init`, () => {
  expect(missing(template(cdk8s!))).toEqual([]);
  expect(steps).toContain('npm install tenantry');
  expect(Object.keys(written)).toEqual(['teams.ts', 'main.ts', 'teams.test.ts']);
});

/** Imports types and code of every entry point without third-party types, and a cdk8s-plus. */
const program = (plus: string): string => `
import { App, holdersOf, Tenant } from 'tenantry';
import { define, KUBERNETES_MINOR } from '@tenantry/crd';
import { compileSchema, string } from '@tenantry/crd/schema';
import { Deployment, User } from '${plus}';

declare const console: { log(...words: unknown[]): void };
const app = new App();
const tenant = new Tenant(app, 'payments', {
  access: { admins: holdersOf(User.fromName(app, 'anna', 'anna@example.com')) },
});
new Deployment(tenant.namespace('payments'), 'api', {
  metadata: { name: 'api' },
  containers: [{ image: 'registry.example.com/api:1', portNumber: 8080 }],
});
app.synth();
console.log(KUBERNETES_MINOR, compileSchema(string('')).accepts('a'), typeof define);
`;

const folder = 'clusters/in-cluster/tenants/payments';
const namespaceFile = `${folder}/resources/namespace-payments.yaml`;

/** Every \`module\`, with the package.json type under which Node runs the compiled code. */
const modules = claimed('`module` in tsconfig.json').flatMap((module) => {
  if (module === 'CommonJS') return [{ module, type: 'commonjs' }];
  if (module === 'preserve') return [{ module, type: 'module' }];
  return ['commonjs', 'module'].map((type) => ({ module, type }));
});

const config = (module: string) => ({
  module,
  target: 'es2017',
  lib: ['es2016'],
  types: [],
  strict: true,
  skipLibCheck: false,
});

const compilers = claimed('TypeScript').flatMap((version) =>
  modules.map(({ module, type }) => ({ version, module, type })),
);
const own = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const ownPackages = ['cdk8s', 'cdk8s-plus-28', 'constructs'];

async function compileAndRun(
  project: Project,
  compiler: string,
  module: string,
  type: string,
): Promise<void> {
  project.write({
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({ compilerOptions: config(module), files: ['main.ts'] }),
    'main.ts': program('cdk8s-plus-28'),
  });
  await output(project.run(process.execPath, [compiler, '-p', '.']));
  expect(await output(project.run(process.execPath, ['main.js']))).toBe('1.36 true function\n');
  const rendered = project.tree('dist');
  expect(deployment(rendered[namespaceFile])).toContain('\n  namespace: payments\n');
  const access = rendered[`${folder}/rbac/namespace-payments.yaml`];
  expect(access).toContain('name: anna@example.com');
}

test.each(compilers.filter(({ version }) => version === '7.0'))(
  'TypeScript $version compiles for module $module in a package of type $type, and Node runs it',
  async ({ module, type }) => {
    await inPackedProject({ tarballs, packages: ownPackages, files: {} }, (project) =>
      compileAndRun(project, own, module, type),
    );
  },
);

test('properties in an ES module accept the arbitraries of @tenantry/testing, although fast-check is loaded twice', async () => {
  const files = {
    'package.json': '{ "type": "module" }',
    'main.js': `
        import fc from 'fast-check';
        import { integer } from '@tenantry/crd/schema';
        import { arbitraryValue } from '@tenantry/testing';

        const port = arbitraryValue(integer('A port.', { minimum: 1, maximum: 9 }));
        const { failed, counterexample } = fc.check(fc.property(port, (one) => one < 5), { seed: 1 });
        console.log(failed, counterexample[0] >= 5);`,
  };
  const packages = [...ownPackages, 'fast-check'];
  await inPackedProject({ tarballs, packages, files }, async (project) => {
    expect(await output(project.run(process.execPath, ['main.js']))).toBe('true true\n');
  });
});

const [testVersions, versionsName] = given(versions, 'TypeScript');
testVersions.each(compilers.filter(({ version }) => version !== '7.0'))(
  `${versionsName} $version compiles for module $module in a package of type $type, and Node runs it`,
  async ({ version, module, type }) => {
    if ('missing' in versions) throw new Error(versions.missing);
    const compiler = join(versions.folder, compilerOf(version));
    await inPackedProject({ tarballs, below: versions.folder, files: {} }, (project) =>
      compileAndRun(project, compiler, module, type),
    );
  },
);

testVersions(`${versionsName} compiles @tenantry/testing as documented`, async () => {
  if ('missing' in versions) throw new Error(versions.missing);
  const compiler = join(versions.folder, compilerOf('5.9'));
  const cases = [
    { ...config('CommonJS'), skipLibCheck: true },
    { ...config('node16'), lib: ['es2024', 'esnext.disposable'] },
  ];
  for (const compilerOptions of cases) {
    const files = {
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }),
      'main.ts': `import * as testing from '@tenantry/testing';\nexport const names = Object.keys(testing);\n`,
    };
    await inPackedProject({ tarballs, below: versions.folder, files }, async (project) => {
      await output(project.run(process.execPath, [compiler, '-p', '.']));
      const words = `const { names } = require('./main.js'); console.log(names.length > 1)`;
      expect(await output(project.run(process.execPath, ['-e', words]))).toBe('true\n');
    });
  }
});

const [testPlus, plusName] = given(versions, 'cdk8s-plus');
testPlus(`${plusName} of every version renders into a namespace of a tenant`, async () => {
  if ('missing' in versions) throw new Error(versions.missing);
  const compiler = join(versions.folder, compilerOf('5.9'));
  const minors = claimed('cdk8s-plus');
  const files = {
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: config('node16') }),
    ...Object.fromEntries(
      minors.map((minor) => [
        `plus${minor}.ts`,
        program(`cdk8s-plus-${minor}`).replace('new App()', `new App({ outdir: 'out${minor}' })`),
      ]),
    ),
  };
  await inPackedProject({ tarballs, below: versions.folder, files }, async (project) => {
    await output(project.run(process.execPath, [compiler, '-p', '.']));
    for (const minor of minors) {
      await output(project.run(process.execPath, [`plus${minor}.js`]));
      const rendered = deployment(project.tree(`out${minor}`)[namespaceFile]);
      expect(rendered).toContain('\n  namespace: payments\n');
      expect(rendered).toContain('\n    tenantry.dev/tenant: payments\n');
      expect(rendered).toContain(' image: registry.example.com/api:1\n');
    }
    expect(minors).toContain('33');
  });
});

const [testNodes, nodesName] = given('missing' in stock ? stock : nodes, 'Node');
testNodes.each(claimed('Node').filter((version) => version !== '24'))(
  `${nodesName} %s runs the app of cdk8s init, one in an ES module, and the command`,
  async (version) => {
    if ('missing' in nodes) throw new Error(nodes.missing);
    const node = nodeOf(nodes.folder, version);
    const found = await inVersion(node);
    expect(found).toBe(version);
  },
);

/** Returns the version that a Node reports, after it ran everything that it must support. */
async function inVersion(node: string): Promise<string> {
  let version = '';
  await inStockProject(async (project) => {
    const env = { ...quiet, PATH: [dirname(node), process.env['PATH']].join(delimiter) };
    version = await output(project.run(node, ['-p', 'process.versions.node']));
    await output(project.run(node, [packedCommand, 'synth'], env));
    const checked = await output(project.run(node, [packedCommand, 'check'], env));
    expect(checked).toContain('valid, and dist is up to date');
    project.write({
      'esm/package.json': '{ "type": "module" }',
      'esm/main.ts': program('cdk8s-plus-33').replace('new App()', `new App({ outdir: 'out' })`),
    });
    expect(await output(project.run(node, ['esm/main.ts'], env))).toBe('1.36 true function\n');
    expect(deployment(project.tree('out')[namespaceFile])).not.toBe('');
  });
  return version.startsWith('22.18.') ? '22.18' : version.split('.')[0]!;
}
