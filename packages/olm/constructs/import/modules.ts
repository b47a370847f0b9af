import { pascal } from '@tenantry/crd/import';
import type { BundleProps } from '../bundle/props.ts';
import type { DefinitionModule, BundleAsProps } from './bundle-props.ts';
import { renderLiteral, Identifier } from './literal.ts';

/** A file of TypeScript. */
export interface TypeScriptFile {
  /** Relative to the folder of the program, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The props that get a file of their own when they are large, each as a constant of this type. */
const parts = {
  customResources: { type: 'CustomResources', comment: 'The kinds, as they are displayed.' },
  examples: { type: 'readonly object[]', comment: 'Example objects of those kinds.' },
  icon: { type: 'readonly Icon[]', comment: 'The icon of the operator.' },
  manifests: { type: 'readonly KubeObject[]', comment: 'Further objects that OLM creates.' },
  scorecard: { type: 'Record<string, unknown>', comment: 'The configuration of scorecard.' },
} as const;

type Part = keyof typeof parts;

const DEFINITIONS = 'definitions';

/** Renders a bundle as a program: its props in files by topic, and an app that writes the bundle. */
export function renderProgram({ props, definitions }: BundleAsProps): readonly TypeScriptFile[] {
  const { operator } = props;
  const names = resolveImportNames(definitions);
  const apart = (Object.keys(parts) as Part[]).filter((part) => isLarge(props[part]));
  const title = `${operator.name} ${operator.version ?? ''}`.trim();
  const whole = Object.fromEntries(
    Object.entries(props).map(([key, value]) => [
      key,
      key === 'operator' || apart.some((part) => part === key) ? new Identifier(key) : value,
    ]),
  );
  return [
    ...definitions.map(({ path, text }) => ({ path: `${DEFINITIONS}/${path}`, text })),
    renderOperatorFile(operator, definitions, names),
    ...apart.map((part) => renderPartFile(part, props[part])),
    {
      path: 'bundle.ts',
      text: renderModule(
        [
          "import type { BundleProps } from '@tenantry/olm/constructs';",
          ...apart.map((part) => `import { ${part} } from './${formatFileName(part)}';`),
          "import { operator } from './operator.ts';",
        ],
        `The metadata of ${title}, for OLM and for people.`,
        `export const bundle: BundleProps = `,
        whole,
      ),
    },
    { path: 'app.ts', text: app },
  ];
}

const app = `import { App } from 'tenantry';
import { Bundle } from '@tenantry/olm/constructs';
import { bundle } from './bundle.ts';

const app = new App();
new Bundle(app, 'bundle', bundle);
app.synth();
`;

function isLarge(value: unknown): boolean {
  return value !== undefined && renderLiteral(value, 0, '').split('\n').length > 3;
}

function renderOperatorFile(
  operator: BundleProps['operator'],
  definitions: readonly DefinitionModule[],
  names: ReadonlyMap<DefinitionModule, string>,
): TypeScriptFile {
  const imports = renderImports(names);
  const owned = definitions.map((module) => new Identifier(names.get(module)!));
  return {
    path: 'operator.ts',
    text: renderModule(
      ["import type { InstalledOperator } from '@tenantry/olm/constructs';", ...imports],
      'What OLM installs: definitions, Deployments, rights and webhooks.',
      'export const operator: InstalledOperator = ',
      { ...operator, ...(owned.length > 0 && { owned }) },
    ),
  };
}

/** Renders the imports of a file beside the folder of the definitions. */
export function renderImports(
  names: ReadonlyMap<{ readonly name: string; readonly path: string }, string>,
): string[] {
  return [...names].map(([module, name]) => {
    const binding = name === module.name ? name : `${module.name} as ${name}`;
    return `import { ${binding} } from './${DEFINITIONS}/${module.path}';`;
  });
}

/** Resolves name conflicts: kinds of two groups may have the same name. */
export function resolveImportNames<Module extends { readonly name: string; readonly path: string }>(
  definitions: readonly Module[],
): ReadonlyMap<Module, string> {
  const taken = new Set(['operator']);
  return new Map(
    definitions.map((module) => {
      const other = `${module.name}Of${pascal(module.path.replace(/\/.*/, ''))}`;
      const name = taken.has(module.name) ? other : module.name;
      taken.add(name);
      return [module, name] as const;
    }),
  );
}

function renderPartFile(part: Part, value: unknown): TypeScriptFile {
  const { type, comment } = parts[part];
  const name = /\b[A-Z]\w+(?=$|\[)/.exec(type)?.[0];
  const imports =
    name === undefined ? [] : [`import type { ${name} } from '@tenantry/olm/constructs';`];
  const head = `export const ${part}: ${type} = `;
  return { path: formatFileName(part), text: renderModule(imports, comment, head, value) };
}

function formatFileName(part: Part): string {
  return `${part.toLowerCase()}.ts`;
}

function renderModule(
  imports: readonly string[],
  comment: string,
  head: string,
  value: unknown,
): string {
  const above = imports.length === 0 ? '' : `${imports.join('\n')}\n\n`;
  return `${above}/** ${comment.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n${head}${renderLiteral(value, head.length, '')};\n`;
}
