import { versionsOf, type Definition, type Version } from '../definition.ts';
import type { JSONSchemaProps } from './jsonschema.ts';
import { wordsOf } from './schema.ts';

/**
 * The reference page of a kind, in Markdown: every field with its type, what it means, its default
 * or what holds when it is absent, and its bounds. An object that occurs in several places is
 * described once a version.
 */
export function referencePage(definition: Definition): string {
  const { kind, shortNames = [], categories = [] } = definition;
  const also = [...shortNames, ...categories].map((name) => `\`kubectl get ${name}\``);
  const versions = versionsOf(definition);
  return [
    `# ${kind}`,
    '',
    '<!-- Generated from the schema by `npm run gen`. -->',
    '',
    ...versions.flatMap((version) => versionPart(definition, version, versions.length > 1)),
    ...(also.length > 0 ? [`Also: ${also.join(', ')}.`, ''] : []),
    'Every field is optional unless it says *required*.',
    '',
    ...versions.flatMap((version) => {
      const page = new Page(versions.length > 1 ? `${version.name} ` : '');
      for (const [name, field] of Object.entries(version.schema.properties ?? {})) {
        if (field.properties && name !== 'metadata') page.section(name, field);
      }
      return page.lines;
    }),
  ].join('\n');
}

function versionPart({ kind }: Definition, version: Version, several: boolean): string[] {
  const { name, apiVersion, schema, served, storage, deprecated, deprecationWarning } = version;
  const notes = [
    served ? '' : 'not served',
    several && storage ? 'the version in which objects are stored' : '',
    deprecated ? `deprecated${deprecationWarning ? `: ${deprecationWarning}` : ''}` : '',
  ].filter(Boolean);
  return [
    ...(several ? [`## ${name}`, ''] : []),
    ...(schema.description ? [schema.description, ''] : []),
    ...(notes.length > 0 ? [`(${notes.join('; ')})`, ''] : []),
    '```yaml',
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    '  name: example',
    '```',
    '',
  ];
}

class Page {
  readonly lines: string[] = [];
  /** What was described already, by content, and under which heading. */
  readonly #described = new Map<string, string>();
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  section(path: string, node: JSONSchemaProps): void {
    const { properties = {}, required = [] } = node;
    const inner: [string, JSONSchemaProps][] = [];
    const heading = this.#version + path;
    this.#described.set(contentOf(node), heading);
    this.lines.push(`## ${heading}`, '', node.description ?? '', '');
    this.lines.push('| field | type | |', '|---|---|---|');
    for (const [name, field] of Object.entries(properties)) {
      const at = `${path}.${name}`;
      const below = objectBelow(field, at);
      const known = below && this.#described.get(contentOf(below[1]));
      const seen = below && (known ?? this.#version + below[0]);
      const see = seen === undefined ? '' : ` See [${seen}](#${anchor(seen)}).`;
      if (below && known === undefined) {
        inner.push(below);
        this.#described.set(contentOf(below[1]), this.#version + below[0]);
      }
      const must = required.includes(name) ? '*required* ' : '';
      this.lines.push(`| \`${name}\` | ${typeOf(field)} | ${must}${textOf(field)}${see} |`);
    }
    this.lines.push('');
    for (const { rule, message } of node['x-kubernetes-validations'] ?? []) {
      this.lines.push(message === undefined ? `It must fulfil \`${rule}\`.` : `It ${message}.`, '');
    }
    for (const [at, object] of inner) this.section(at, object);
  }
}

/** The object that a field, or the items of its list, consist of, and under which path. */
function objectBelow(node: JSONSchemaProps, path: string): [string, JSONSchemaProps] | undefined {
  if (node.properties) return [path, node];
  if (node.items) return objectBelow(node.items, `${path}[]`);
  return typeof node.additionalProperties === 'object'
    ? objectBelow(node.additionalProperties, `${path}.*`)
    : undefined;
}

/** A schema as text, words included. */
function contentOf(node: JSONSchemaProps): string {
  return JSON.stringify(node, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const words = wordsOf(value);
    return Object.keys(words).length > 0 ? { ...value, words } : value;
  });
}

function anchor(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^a-z0-9_-]/g, '');
}

function typeOf(node: JSONSchemaProps): string {
  const type = typeAlone(node);
  return node.nullable ? `${type} or null` : type;
}

function typeAlone(node: JSONSchemaProps): string {
  if (node['x-kubernetes-int-or-string']) return 'integer or string';
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.items) {
    const list = node['x-kubernetes-list-type'] === 'set' ? 'set' : 'list';
    const keys = node['x-kubernetes-list-map-keys'];
    const key = keys ? ` by \`${keys.join('`, `')}\`` : '';
    return `${list} of ${typeOf(node.items)}${key}`;
  }
  const { additionalProperties } = node;
  if (typeof additionalProperties === 'object') return `map to ${typeOf(additionalProperties)}`;
  return node.type ?? 'any';
}

function textOf(node: JSONSchemaProps): string {
  const parts = [node.description ?? ''];
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : {};
  const must = wordsOf(node).must ?? wordsOf(node.items ?? {}).must ?? wordsOf(values).must;
  if (must !== undefined) parts.push(`Must be ${must}.`);
  const bounds = [
    node.minItems === undefined ? '' : `at least ${node.minItems}`,
    node.maxItems === undefined ? '' : `at most ${node.maxItems} items`,
    node.maxProperties === undefined ? '' : `at most ${node.maxProperties} entries`,
    node.minimum === undefined ? '' : `from ${node.minimum}`,
    node.maximum === undefined ? '' : `to ${node.maximum}`,
  ].filter(Boolean);
  if (bounds.length > 0) parts.push(`(${bounds.join(', ')})`);
  const { absent } = wordsOf(node);
  if (absent !== undefined) parts.push(`Absent: ${absent}.`);
  if (node.default !== undefined) parts.push(`Default: \`${JSON.stringify(node.default)}\`.`);
  if (node.example !== undefined) parts.push(`Example: \`${JSON.stringify(node.example)}\`.`);
  return parts.filter(Boolean).join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ');
}
