import type { NewFile } from '../new-files/write-new-files.ts';
import type { OwnManifest } from '../own-manifest.ts';
import type { RepositoryAnswers } from './answers.ts';

/** The packages that a repository installs besides `tenantry`. */
const packages = {
  yaml: ['cdk8s', 'constructs'],
  typescript: ['@types/node', 'cdk8s', 'constructs', 'typescript'],
} as const;

/** The names that the package of a repository cannot have. */
export const installedPackages: readonly string[] = [...packages.typescript, 'tenantry'];

/** Renders package.json. Each version is exact, and is the one with which the running Tenantry was tested. */
export function renderPackage(answers: RepositoryAnswers, own: OwnManifest): NewFile {
  const isTypeScript = answers.language === 'typescript';
  const names = packages[isTypeScript ? 'typescript' : 'yaml'];
  const versions = { ...own.devDependencies, tenantry: own.version };
  const manifest = {
    name: answers.name,
    private: true,
    ...(isTypeScript && { type: 'module' }),
    engines: { node: own.engines['node'] },
    scripts: {
      synth: 'tenantry synth',
      check: 'tenantry check',
      test: isTypeScript ? 'tsc && node --test' : 'tenantry check',
    },
    devDependencies: Object.fromEntries(
      [...names, 'tenantry'].toSorted().map((name) => [name, findVersion(name, versions)]),
    ),
  };
  return { path: 'package.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` };
}

function findVersion(name: string, versions: OwnManifest['devDependencies']): string {
  const version = versions[name];
  if (version === undefined) throw new Error(`package.json of tenantry must pin ${name}`);
  return version;
}
