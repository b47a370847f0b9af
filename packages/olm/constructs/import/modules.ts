import { pascal } from '@tenantry/crd/import';
import { isMapping } from '@tenantry/kube/mapping';
import type { BundleProps } from '../bundle/props.ts';
import type { DefinitionModule, BundleAsProps } from './bundle-props.ts';

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

/** A name that represents a value in the text. */
export class Identifier {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Columns per line. */
const WIDTH = 100;

/**
 * Renders plain data as a TypeScript expression in the style of prettier. What fits is on one line,
 * and texts of several lines are templates.
 * @param column the number of characters before it on its line
 * @param indentation of the line that it begins on
 */
export function renderLiteral(value: unknown, column: number, indentation: string): string {
  // A comma or a semicolon follows it.
  const flat = renderInline(value);
  if (flat !== undefined && column + flat.length + 1 <= WIDTH) return flat;
  const inner = `${indentation}  `;
  if (Array.isArray(value) && value.length > 0) {
    const lines = value.map((item) => `${inner}${renderLiteral(item, inner.length, inner)},\n`);
    return `[\n${isNumbers(value) ? renderNumbers(value, inner) : lines.join('')}${indentation}]`;
  }
  if (!isMapping(value) || value instanceof Identifier)
    return flat ?? renderTemplate(value as string);
  const lines = listFields(value).map(
    ([key, field]) => `${inner}${renderProperty(key, field, inner)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indentation}}`;
}

function renderProperty(key: string, value: unknown, indentation: string): string {
  const name = renderKey(key);
  if (value instanceof Identifier && value.text === name) return name;
  const column = indentation.length + name.length + 2;
  const text = renderLiteral(value, column, indentation);
  // A text gets a line of its own if that makes the line shorter than the limit.
  const isLong = typeof value === 'string' && column + text.length + 1 > WIDTH;
  const isBroken = isLong && !text.startsWith('`') && name.length > 4;
  return isBroken ? `${name}:\n${indentation}  ${text}` : `${name}: ${text}`;
}

function listFields(value: Readonly<Record<string, unknown>>): (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}

/** Renders the value on one line; undefined if that is impossible. */
function renderInline(value: unknown): string | undefined {
  if (value instanceof Identifier) return value.text;
  if (typeof value === 'string') return isTemplate(value) ? undefined : quoteText(value);
  if (typeof value === 'number') return String(value).replace('e+', 'e');
  if (Array.isArray(value)) {
    if (value.length > 1 && (value.every(isLargeMapping) || value.every(isLargeList))) {
      return undefined;
    }
    const items = value.map(renderInline);
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (!isMapping(value)) return String(value);
  const fields = listFields(value).map(([key, field]) => {
    const text = renderInline(field);
    const name = renderKey(key);
    const isShort = field instanceof Identifier && text === name;
    return text === undefined || isShort ? text : `${name}: ${text}`;
  });
  if (fields.includes(undefined)) return undefined;
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Returns whether a mapping is too large to share a line with others. */
function isLargeMapping(value: unknown): boolean {
  return isMapping(value) && !(value instanceof Identifier) && listFields(value).length > 1;
}

function isLargeList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1;
}

function isNumbers(values: readonly unknown[]): values is readonly number[] {
  return values.every((value) => typeof value === 'number');
}

/** Renders as many numbers as fit on each line. */
function renderNumbers(values: readonly number[], indentation: string): string {
  const lines: string[] = [];
  let line = indentation;
  for (const value of values) {
    const text = `${renderInline(value)},`;
    if (line !== indentation && line.length + 1 + text.length > WIDTH) {
      lines.push(line);
      line = indentation;
    }
    line += line === indentation ? text : ` ${text}`;
  }
  return [...lines, line].map((one) => `${one}\n`).join('');
}

/** Renders a property's name, quoted if necessary. A bare __proto__ would set the prototype. */
function renderKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key);
}

/** Quotes a text in single quotes, or in double quotes if that needs fewer escapes. */
function quoteText(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const count = (quote: string): number => text.split(quote).length - 1;
  if (count("'") > count('"')) return json;
  const inner = json.slice(1, -1).replaceAll(/\\(["\\])|'/g, (all: string, escaped?: string) => {
    if (all === "'") return "\\'";
    return escaped === '"' ? '"' : all;
  });
  return `'${inner}'`;
}

/** Returns whether a text is easier to read on several lines. */
function isTemplate(text: string): boolean {
  return text.trimEnd().includes('\n');
}

/** Renders a text with its line breaks. */
function renderTemplate(text: string): string {
  const escaped = text
    .replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}|[\u2028\u2029\uFEFF]/gu, (one) => {
      const code = one.codePointAt(0)!.toString(16);
      return `\\u{${code}}`;
    });
  return `\`${escaped}\``;
}
