import type { Definition } from '../definition.ts';
import type { SchemaNode } from './schema.ts';

/**
 * The reference page of a kind, in Markdown: every field with its type, what it means, what holds
 * when it is absent, and its bounds. An object that occurs in several places is described once.
 */
export function referencePage(definition: Definition<unknown>): string {
  const { kind, apiVersion, description, shortNames = [], categories = [] } = definition;
  const page = new Page();
  page.section('spec', definition.spec);
  const names = [
    ...shortNames.map((name) => `\`kubectl get ${name}\``),
    ...categories.map((name) => `\`kubectl get ${name}\``),
  ];
  return [
    `# ${kind}`,
    '',
    '<!-- Generated from the schema by `npm run gen`. -->',
    '',
    description,
    '',
    '```yaml',
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    'metadata:',
    '  name: example',
    '```',
    '',
    ...(names.length > 0 ? [`Also: ${names.join(', ')}.`, ''] : []),
    'Every field is optional unless it says *required*.',
    '',
    ...page.lines,
  ].join('\n');
}

class Page {
  readonly lines: string[] = [];
  /** What was described already, by content, and under which heading. */
  readonly #described = new Map<string, string>();

  section(path: string, node: SchemaNode): void {
    const { properties = {}, required = [] } = node;
    const inner: [string, SchemaNode][] = [];
    this.#described.set(contentOf(node), path);
    this.lines.push(`## ${path}`, '', node.description ?? '', '');
    this.lines.push('| field | type | |', '|---|---|---|');
    for (const [name, field] of Object.entries(properties)) {
      const at = `${path}.${name}`;
      const below = objectBelow(field, at);
      const known = below && this.#described.get(contentOf(below[1]));
      const see = below ? ` See [${known ?? below[0]}](#${anchor(known ?? below[0])}).` : '';
      if (below && known === undefined) {
        inner.push(below);
        this.#described.set(contentOf(below[1]), below[0]);
      }
      const must = required.includes(name) ? '*required* ' : '';
      this.lines.push(`| \`${name}\` | ${typeOf(field)} | ${must}${textOf(field)}${see} |`);
    }
    this.lines.push('');
    for (const rule of node.rules ?? []) this.lines.push(`It ${rule.message}.`, '');
    for (const [at, object] of inner) this.section(at, object);
  }
}

/** The object that a field, or the items of its list, consist of, and under which path. */
function objectBelow(node: SchemaNode, path: string): [string, SchemaNode] | undefined {
  if (node.properties) return [path, node];
  if (node.items) return objectBelow(node.items, `${path}[]`);
  return node.additionalProperties
    ? objectBelow(node.additionalProperties, `${path}.*`)
    : undefined;
}

function contentOf(node: SchemaNode): string {
  return JSON.stringify(node);
}

function anchor(path: string): string {
  return path.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '');
}

function typeOf(node: SchemaNode): string {
  if (node.intOrString) return 'integer or string';
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(', ');
  if (node.items) {
    const list = node.listType === 'set' ? 'set' : 'list';
    const key = node.listMapKeys ? ` by \`${node.listMapKeys.join('`, `')}\`` : '';
    return `${list} of ${typeOf(node.items)}${key}`;
  }
  if (node.additionalProperties) return `map to ${typeOf(node.additionalProperties)}`;
  return node.type ?? 'any';
}

function textOf(node: SchemaNode): string {
  const parts = [node.description ?? ''];
  const must = node.must ?? node.items?.must ?? node.additionalProperties?.must;
  if (must !== undefined) parts.push(`Must be ${must}.`);
  const bounds = [
    node.minItems === undefined ? '' : `at least ${node.minItems}`,
    node.maxItems === undefined ? '' : `at most ${node.maxItems} items`,
    node.maxProperties === undefined ? '' : `at most ${node.maxProperties} entries`,
    node.minimum === undefined ? '' : `from ${node.minimum}`,
    node.maximum === undefined ? '' : `to ${node.maximum}`,
  ].filter(Boolean);
  if (bounds.length > 0) parts.push(`(${bounds.join(', ')})`);
  if (node.absent !== undefined) parts.push(`Absent: ${node.absent}.`);
  if (node.example !== undefined) parts.push(`Example: \`${JSON.stringify(node.example)}\`.`);
  return parts.filter(Boolean).join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ');
}
