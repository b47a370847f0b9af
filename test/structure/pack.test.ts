import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { whyOffline } from '../packages/online.ts';
import { listForeignDependencies, published } from '../../scripts/packages.ts';
import { node, packed, type Packed } from '../packages/packed.ts';
import { cacheEntry } from '@tenantry/testing/controlplane/cache';
import { programs, versions } from '@tenantry/testing/controlplane/programs';
import { FakeGo } from '@tenantry/testing/test/controlplane/fake-go';
import { root } from './tracked.ts';

const execute = promisify(execFile);
const rendered = join('clusters', 'in-cluster', 'tenants', 'payments', 'namespace-payments.yaml');
const peers = ['cdk8s', 'constructs', 'fast-check'];

const dependencies = new Set(listForeignDependencies(published));
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
};
const offline = await whyOffline();
const testOnline = offline ? test.skip : test;
const note = offline ? ` [skipped: ${offline}]` : '';

let folder: string;
let given: Packed;
let installed: Promise<string>;

/** Makes an empty project with the tarball and its peers, as a user has it. */
async function install(): Promise<string> {
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  const names = peers.map((name) => `${name}@${manifest.devDependencies[name]}`);
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await execute('npm', ['install', ...flags, ...given.tarballs, ...names], {
    cwd: project,
  });
  return project;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-pack-'));
  given = await packed();
  if (!offline) installed = install();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package contains the build, the action, its license and its documentation, and nothing else', () => {
  const others = given.files
    .map(({ path }) => path)
    .filter((path) => !/^build\/.*\.(c?js|d\.c?ts)$/.test(path) && path !== 'build/package.json')
    .filter(
      (path) => !/^(package\.json|LICENSE|NOTICE|[A-Z]+\.md|docs\/.*\.(?:md|svg|png))$/.test(path),
    )
    .filter((path) => !/^docs\/monitoring\/[\w-]+\.(yaml|json)$/.test(path))
    .filter((path) => !['action/action.yaml', 'action/templates/review.yml'].includes(path));
  expect(others).toEqual([]);
  // Decision records and API reports are for people who change the sources.
  expect(given.files.filter(({ path }) => /^docs\/(adr|api)/.test(path))).toEqual([]);
  const rooms = given.files.map(({ path }) => path.split('/')[1]);
  expect(rooms).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'cli']));
  expect(rooms.filter((room) => room && /^(test|bench|examples|scripts)$/.test(room))).toEqual([]);
});

test('every link of the README leads into the package or to the web', async () => {
  const text = await readFile(join(root, 'README.md'), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link]) => link!);
  const files = given.files.map(({ path }) => path);
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && !isIn(files, link))).toEqual([]);
});

/** Returns whether the package has this file, or a folder with files. */
const isIn = (files: readonly string[], path: string): boolean =>
  files.some((file) => file === path || file.startsWith(`${path}/`));

test('the command checks its Node version before it loads anything that needs it', async () => {
  const text = await readFile(join(given.copy, 'build', 'cli', 'main.js'), 'utf8');
  expect(/\brequire\("([^"]+)"\)/.exec(text)?.[1]).toBe('./start.js');
});

test.each(['supervisor', 'pretend-node'])(
  'the process %s of a control plane finds its program in the package',
  async (name) => {
    const built = join(given.copy, 'build');
    const module = './packages/testing/controlplane/processes.js';
    const question = `require('${module}').programFile('${name}')`;
    const answer = await node(built, '--print', question);
    const program = join(built, 'packages/testing/controlplane', `${name}.js`);
    expect(answer.trim()).toBe(await realpath(program));
    expect(filesOf('@tenantry/testing')).toContain(`controlplane/${name}.js`);
  },
);

test("the sources of a control plane's binaries are in the package", () => {
  for (const name of ['main.go', 'go.mod', 'kubernetes-1.35.mod']) {
    expect(filesOf('@tenantry/testing')).toContain(`controlplane/go/${name}`);
  }
});

test('Go builds the programs from the package, in a writable copy of the sources', async () => {
  const place = join(folder, 'go');
  await mkdir(place);
  const { env } = new FakeGo(place);
  const program = `
      const { findBinaries } = require('./build/packages/testing/controlplane/binaries.js');
      findBinaries({ env: ${JSON.stringify(env)}, report: () => {} }).then(({ binaries, reason }) => {
        console.log(reason ?? binaries.etcd);
      });`;
  const etcd = (await node(given.copy, '--eval', program)).trim();
  expect(await readFile(etcd, 'utf8')).toBe('whole');
  expect((await readdir(join(etcd, '..'))).toSorted()).toEqual(['control-plane', ...programs]);
});

test('the package and this repository use the same programs in the cache', async () => {
  for (const TENANTRY_KUBERNETES of versions.map(({ minor }) => minor)) {
    const env = { TENANTRY_KUBERNETES, XDG_CACHE_HOME: '/cache' };
    const question = `require('./build/packages/testing/controlplane/cache.js').cacheEntry(${JSON.stringify(env)})`;
    expect((await node(given.copy, '--print', question)).trim()).toBe(cacheEntry(env));
  }
});

test.each(['apps/tenant-worker', 'synth/output/writer'])(
  'the thread of %s finds its program in the package',
  async (module) => {
    const built = join(given.copy, 'build');
    const question = `require('./synth/code-folder.cjs').threadProgram('${module}')`;
    const answer = await node(built, '--print', question);
    expect(answer.trim()).toBe(await realpath(join(built, `${module}.js`)));
    expect(given.files.map(({ path }) => path)).toContain(`build/${module}.js`);
  },
);

test('a declaration is in the package if and only if an export leads to it', () => {
  const declared = given.files.map(({ path }) => path).filter((path) => path.endsWith('.d.ts'));
  expect(declared).toEqual(expect.arrayContaining(['build/index.d.ts', 'build/argocd.d.ts']));
  expect(filesOf('@tenantry/runtime')).toContain('manager/manager.d.ts');
  expect(filesOf('@tenantry/runtime')).not.toContain('manager/tasks.test.d.ts');
  expect(declared.filter((path) => path.startsWith('build/cli/'))).toEqual([]);
});

// Unpacked, the runtime has about 0.8 MB (0.3 MB are the kinds of Kubernetes), the operator 0.2 MB, olm 0.4 MB, and
// Argo CD's kinds and their rules 0.2 MB.
test('the packages together are below 2 MB, and below 7.9 MB unpacked', () => {
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0);
  expect(sum(given.packages.map(({ size }) => size))).toBeLessThan(2_000_000);
  expect(sum(given.packages.map(({ unpackedSize }) => unpackedSize))).toBeLessThan(7_900_000);
});

test('the other packages contain code, declarations, a license, a README and their package.json', () => {
  const others = given.packages.filter(({ name }) => name !== 'tenantry');
  const source =
    /\.(c?js|d\.c?ts)$|^controlplane\/go\/[\w.-]+\.(go|mod|key)$|^(LICENSE|README\.md|package\.json)$/;
  expect(others.map(({ name }) => name)).toContain('@tenantry/kube');
  for (const { name, files } of others) {
    expect([
      name,
      files.filter(({ path }) => !source.test(path) || path.startsWith('test/')),
    ]).toEqual([name, []]);
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  }
});

/** The files of a packed package. */
function filesOf(name: string): readonly string[] {
  return given.packages.find((one) => one.name === name)!.files.map(({ path }) => path);
}

/** Returns the files that an entry point of the build loads, relative to the root of the repository. */
async function loadedBy(entry: string): Promise<string[]> {
  const question = `require('./build/${entry}.js'); JSON.stringify(Object.keys(require.cache))`;
  const paths = JSON.parse(await node(given.copy, '--print', question)) as string[];
  return paths.map((path) =>
    path.replaceAll('\\', '/').replace(/^.*\/(build|node_modules)\//, '$1/'),
  );
}

test.each(['index', 'packages/crd/index', 'packages/crd/schema', 'packages/olm/index'])(
  '%s loads nothing of the runtime',
  async (entry) => {
    const loaded = await loadedBy(entry);
    expect(loaded).toContain(`build/${entry}.js`);
    expect(loaded.filter((path) => path.startsWith('build/packages/runtime'))).toEqual([]);
  },
);

test.each([
  { entry: 'packages/runtime/index', one: 'build/packages/runtime/manager/manager.js', peers: [] },
  {
    entry: 'packages/testing/index',
    one: 'build/packages/testing/controlplane/launch.js',
    peers: ['fast-check', 'pure-rand'],
  },
])(
  '$entry loads neither cdk8s nor packages that only some of its users install',
  async ({ entry, one, peers }) => {
    const loaded = await loadedBy(entry);
    expect(loaded).toContain(one);
    const packages = loaded.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    const named = new Set(packages.filter((name) => name !== undefined));
    const others = [...named].filter((name) => !dependencies.has(name));
    expect(others.toSorted()).toEqual(peers);
  },
);

testOnline(`a program of five lines renders a tenant, and its types are right${note}`, async () => {
  const project = await installed;
  const program = [
    `import { App, Tenant } from 'tenantry';`,
    ``,
    `const app = new App({ outdir: 'out' });`,
    `new Tenant(app, 'payments', {});`,
    `app.synth();`,
  ];
  await writeFile(join(project, 'main.ts'), program.join('\n'));
  await node(project, 'main.ts');
  expect(await readFile(join(project, 'out', rendered), 'utf8')).toContain('kind: Namespace');

  const others = [
    `import { KUBERNETES_MINOR } from '@tenantry/crd';`,
    `import { compileSchema, string } from '@tenantry/crd/schema';`,
    `import { allow, controller, core, done, Manager } from '@tenantry/runtime';`,
    `const namespaces = controller({`,
    `  name: 'namespaces',`,
    `  for: core.Namespace,`,
    `  access: [allow(core.ConfigMap, 'create')],`,
    `  async reconcile({ client, object }) {`,
    `    const namespace = object.metadata.name;`,
    `    await client.create(core.ConfigMap, { metadata: { name: 'made', namespace } });`,
    `    return done;`,
    `  },`,
    `});`,
    `const { length } = new Manager({ controllers: [namespaces] }).access;`,
    `console.log(KUBERNETES_MINOR, compileSchema(string('')).accepts('a'), length);`,
  ];
  await writeFile(join(project, 'others.ts'), others.join('\n'));
  expect(await node(project, 'others.ts')).toBe('1.36 true 2\n');

  const modules = await readdir(join(project, 'node_modules'));
  expect(modules.filter((name) => name.startsWith('cdk8s'))).toEqual(['cdk8s']);

  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--noEmit'];
  await node(project, tsc, ...options, '--skipLibCheck', 'false', 'main.ts', 'others.ts');
});

const entryPoints = [
  'tenantry',
  '@tenantry/crd',
  '@tenantry/crd/schema',
  '@tenantry/olm',
  '@tenantry/olm/constructs',
  '@tenantry/operator-kit',
  '@tenantry/runtime',
  '@tenantry/testing',
];

testOnline(
  `import and require give the same names and the same things, once each${note}`,
  async () => {
    const project = await installed;
    const program = [
      `import { createRequire } from 'node:module';`,
      `const require = createRequire(import.meta.url);`,
      `for (const entry of ${JSON.stringify(entryPoints)}) {`,
      `  const [imported, required] = [await import(entry), require(entry)];`,
      `  const names = Object.keys(required).filter((name) => name !== '__esModule');`,
      `  const same = names.filter((name) => imported[name] === required[name]);`,
      `  console.log(entry, names.length > 1, names.length === same.length);`,
      `}`,
    ];
    await writeFile(join(project, 'once.ts'), program.join('\n'));
    const lines = entryPoints.map((entry) => `${entry} true true\n`);
    expect(await node(project, 'once.ts')).toBe(lines.join(''));
  },
);

testOnline(`the installed command renders a folder of tenants with one file${note}`, async () => {
  const project = await installed;
  const command = join(project, 'node_modules', '.bin', 'tenantry');
  expect(await node(project, command, '--help')).toContain('synth');

  const tenant = [
    'apiVersion: tenantry.dev/v1alpha1',
    'kind: Tenant',
    'metadata:',
    '  name: payments',
  ];
  await mkdir(join(project, 'tenants'));
  await writeFile(join(project, 'tenants', 'payments.yaml'), `${tenant.join('\n')}\n`);
  await node(project, command, 'synth');
  expect(await readFile(join(project, 'dist', rendered), 'utf8')).toContain('kind: Namespace');
});
