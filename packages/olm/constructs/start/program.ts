import type { ImportedModule } from '@tenantry/crd/import';
import { resolveImportNames, renderImports, type TypeScriptFile } from '../import/modules.ts';
import { renderLiteral, Identifier } from '../import/literal.ts';
import { parseMaintainer, type BundleAnswers } from './answers.ts';

/**
 * Renders a starting program for a new bundle and its catalog, to be edited by hand.
 * @param modules of its definitions, as `crd import` writes them
 */
export function renderNewProgram(
  answers: BundleAnswers,
  modules: readonly ImportedModule[],
): readonly TypeScriptFile[] {
  const named = modules.map(({ definition: name, path }) => ({ name, path }));
  const names = resolveImportNames(named);
  const operator = {
    name: answers.package,
    version: answers.version,
    image: answers.image,
    ...(modules.length > 0 && { owned: named.map((one) => new Identifier(names.get(one)!)) }),
    access: modules.flatMap(buildKindAccess),
  };
  const bundle = {
    operator: new Identifier('operator'),
    displayName: answers.displayName,
    description: answers.description,
    maintainers: answers.maintainers.map(parseMaintainer),
    provider: { name: answers.provider },
    minKubeVersion: answers.minKubeVersion,
    channels: answers.channels,
    ...(answers.channels.length > 1 && { defaultChannel: answers.channels.at(-1) }),
    capabilities: answers.capabilities,
    categories: answers.categories,
  };
  return [
    ...modules.map(({ path, text }) => ({ path: `definitions/${path}`, text })),
    {
      path: 'operator.ts',
      text: `import type { OperatorSpec } from '@tenantry/operator-kit';
${renderImports(names)
  .map((line) => `${line}\n`)
  .join('')}
/** What runs, and what it may do: \`access\` is that of its controllers, to which belongs what they make. */
${renderConstant('operator', 'OperatorSpec', operator)}`,
    },
    {
      path: 'bundle.ts',
      text: `import type { BundleProps } from '@tenantry/olm/constructs';
import { operator } from './operator.ts';

/** The metadata of the bundle, for OLM and for people. */
${renderConstant('bundle', 'BundleProps', bundle)}`,
    },
    { path: 'app.ts', text: renderApp(answers) },
  ];
}

function renderConstant(name: string, type: string, value: object): string {
  const head = `export const ${name}: ${type} = `;
  return `${head}${renderLiteral(value, head.length, '')};\n`;
}

/** Builds the rights to the operator's own kinds: it reads the objects and writes their status. */
function buildKindAccess({ path }: ImportedModule): object[] {
  const [group = '', file = ''] = path.split('/');
  const resource = file.replace(/\.ts$/, '');
  return [
    { group, resource, verbs: ['get', 'list', 'watch'] },
    { group, resource: `${resource}/status`, verbs: ['patch'] },
  ];
}

function renderApp({ image }: BundleAnswers): string {
  const bundles = `${image.replace(/@.*$/, '').replace(/:[^:/]*$/, '')}-bundle:v{version}`;
  return `import { App } from 'tenantry';
import { Bundle, Catalog } from '@tenantry/olm/constructs';
import { bundle } from './bundle.ts';

const app = new App();
new Catalog(app, 'catalog', {
  bundles: [new Bundle(app, 'bundle', bundle)],
  image: ${renderLiteral(bundles, 9, '  ')},
});
app.synth();
`;
}
