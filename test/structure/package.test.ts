import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { published } from '../../scripts/packages.ts';
import { importsOf, packageNameIn } from './imports.ts';
import { isProduct, projectFiles, root } from './tracked.ts';

type Names = Record<string, string>;

interface Locked {
  readonly resolved?: string;
  /** Whether it is a folder of this repository. */
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Names;
}

interface Manifest {
  readonly dependencies: Names;
  readonly devDependencies: Names;
  readonly allowScripts: Record<string, boolean>;
  readonly main: string;
  readonly types: string;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

const manifest = readJson<Manifest>('package.json');
const lockFiles = projectFiles().filter((path) => path.endsWith('package-lock.json'));
const locked = (lockFile: string) =>
  Object.entries(readJson<{ packages: Record<string, Locked> }>(lockFile).packages);

test('every dependency that is installed here has an exact version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('a package installs only what its users need, and the rest is optional', () => {
  const certificates = ['@peculiar/asn1-schema', '@peculiar/asn1-x509'];
  const peers = published.map(({ manifest: { name, peerDependencies, peerDependenciesMeta } }) => {
    const optional = Object.keys(peerDependenciesMeta ?? {});
    const required = Object.keys(peerDependencies ?? {}).filter((one) => !optional.includes(one));
    return [name, { required, optional }] as const;
  });
  expect(Object.fromEntries(peers)).toEqual({
    '@tenantry/kube': { required: [], optional: [] },
    '@tenantry/crd': { required: [], optional: ['cdk8s', 'constructs', 'fast-check'] },
    '@tenantry/runtime': {
      required: [],
      optional: ['@kubernetes/client-node', '@opentelemetry/api', ...certificates, 'prom-client'],
    },
    '@tenantry/testing': { required: [...certificates, 'fast-check'], optional: [] },
    '@tenantry/operator-kit': { required: [], optional: ['cdk8s', 'cdk8s-plus-28', 'constructs'] },
    '@tenantry/olm': { required: [], optional: ['cdk8s', 'constructs'] },
    tenantry: { required: ['cdk8s', 'constructs'], optional: ['cdk8s-plus-28'] },
  });
});

test('an optional package of the runtime is required in its own try statement, as bundlers need it', () => {
  const path = 'packages/runtime/optional-packages/optional.cjs';
  const text = readFileSync(join(root, path), 'utf8');
  const tried = [...text.matchAll(/try {\n {4}return require\('([^']+)'\);\n {2}} catch/g)];
  const required = [...text.matchAll(/\brequire\('([^']+)'\)/g)];
  const names = required.map(([, name = '']) => name).toSorted();
  expect(tried.map(([, name]) => name).toSorted()).toEqual(names);

  const runtime = published.find(({ folder }) => folder === 'packages/runtime')!;
  expect(names).toEqual(Object.keys(runtime.manifest.peerDependenciesMeta ?? {}).toSorted());
  const elsewhere = projectFiles()
    .filter((one) => /^packages\/runtime\/(?!test\/)/.test(one) && one.endsWith('.ts'))
    .flatMap((one) => {
      const source = readFileSync(join(root, one), 'utf8');
      const loads = source.matchAll(
        /^import (?!type )[^;]*? from '([^']+)';|\bimport\('([^']+)'\)/gm,
      );
      return [...loads].flatMap(([, ...names]) => names).filter((name) => names.includes(name));
    });
  expect(elsewhere).toEqual([]);
});

test('the product imports exactly what its users install', () => {
  const imported = projectFiles()
    .filter(isProduct)
    .flatMap((path) => importsOf(readFileSync(join(root, path), 'utf8')))
    .map(({ specifier }) => specifier)
    .map(packageNameIn)
    .filter((name) => name !== undefined && name !== 'tenantry');
  const declared = Object.assign(
    {},
    ...published.flatMap((one) => [one.manifest.dependencies, one.manifest.peerDependencies]),
  ) as Record<string, string>;
  // Users choose their cdk8s-plus; no product file imports one.
  const names = Object.keys(declared).filter((name) => name !== 'cdk8s-plus-28');
  expect([...new Set(imported)].toSorted()).toEqual(names.toSorted());
});

test('a compiler that ignores exports finds the same types', () => {
  const named = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [[path.slice(2), target] as const],
  );
  const [[, main], ...others] = [named[0]!, ...named.slice(1)];
  expect({ default: manifest.main, types: manifest.types }).toEqual(main);
  expect(manifest.typesVersions).toEqual({
    '*': Object.fromEntries(others.map(([name, { types }]) => [name, [types]])),
  });
});

test('every install script is approved or denied by name', () => {
  const scripts = locked('package-lock.json')
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...new Set(scripts)].toSorted());
});

// `npm ci` rejects a lock file that was written where a platform's package was unavailable.
test.each(lockFiles)('%s contains the packages of every platform', (lockFile) => {
  const packages = locked(lockFile);
  const paths = new Set(packages.map(([path]) => path));
  const missing = packages.flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter((name) => {
      for (let from = path; ; from = dirname(from)) {
        if (paths.has(join(from, 'node_modules', name))) return false;
        if (from === '.' || from === '') return true;
      }
    }),
  );
  expect(missing).toEqual([]);
});

test.each(lockFiles)('%s names only the public registry', (lockFile) => {
  const hosts = locked(lockFile).flatMap(([, { resolved, link }]) =>
    resolved === undefined || link ? [] : [new URL(resolved).host],
  );
  const publicHost = ['registry', 'npmjs', 'org'].join('.');
  expect(hosts.filter((host) => host !== publicHost)).toEqual([]);
});

test('no tracked file contains a path of one machine or the host of a registry', () => {
  const forbidden = [
    /\/(home|root|work)\/[a-z]/,
    /registry\.(npmjs|yarnpkg)\.|pypi\.org|pythonhosted\.org|static\.crates\.io|index\.crates\.io/,
    /proxy\.golang\.org|repo1?\.maven\.|deb\.debian\.org/,
  ];
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const offending = tracked
    .split('\0')
    .filter((path) => path !== '' && !lockFiles.includes(path) && existsSync(join(root, path)))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      return lines.flatMap((line, index) => {
        const match = forbidden.map((one) => one.exec(line)?.[0]).find((text) => text);
        return match ? [`${path}:${index + 1} must not name '${match}'`] : [];
      });
    });
  expect(offending).toEqual([]);
});
