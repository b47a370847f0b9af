import { escapeForTerminal } from '@tenantry/kube/printable';
import { parseRange } from '../semver/version.ts';
import {
  bundleVersion,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type ChannelEntry,
} from './catalog.ts';
import { findHeads } from './rules/channels.ts';

/** Options of `renderCatalogGraph`. */
interface GraphOptions {
  /** @default - all */
  readonly package?: string;
  /** @default - all */
  readonly channel?: string;
}

/**
 * Renders the channels of a catalog as a Mermaid flowchart. A solid arrow leads from a bundle to the one that replaces
 * it, a dotted arrow from a skipped one. Heads have a thick border, deprecated entries are grey, and entries that are
 * named but absent from the channel are dashed.
 *
 * Source: https://mermaid.js.org/syntax/flowchart.html
 */
export function renderCatalogGraph(catalog: Catalog, options: GraphOptions = {}): string {
  const channels = catalog.channels
    .filter((one) => options.package === undefined || one.package === options.package)
    .filter((one) => options.channel === undefined || one.name === options.channel)
    .toSorted((a, b) => order(a.package, b.package) || order(a.name, b.name));
  const lines = ['flowchart LR', ...classes];
  const packages = [...new Set(channels.map((channel) => channel.package))];
  for (const [p, name] of packages.entries()) {
    const deprecated = deprecatedIn(catalog, name);
    const bundles = catalog.bundles.filter((bundle) => bundle.package === name);
    lines.push(`  subgraph p${p}["${label(name)}"]`);
    for (const [c, channel] of channels.filter((one) => one.package === name).entries()) {
      lines.push(...new Drawing(`p${p}c${c}`, channel, bundles, deprecated).lines());
    }
    lines.push('  end');
    if (deprecated.has('olm.package ')) lines.push(`  class p${p} deprecated`);
  }
  return `${lines.join('\n')}\n`;
}

const classes = [
  '  classDef head stroke-width:4px',
  '  classDef deprecated fill:#ccc,color:#333',
  '  classDef absent stroke-dasharray:4',
];

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Escapes a text between quotes for Mermaid. */
function label(text: string): string {
  return escapeForTerminal(text).replaceAll(/[#"<>&`\\]/g, (one) => `#${one.charCodeAt(0)};`);
}

/** Returns `<schema> <name>` of everything that a package deprecates. */
function deprecatedIn(catalog: Catalog, name: string): ReadonlySet<string> {
  const all = catalog.deprecations.filter((one) => one.package === name);
  const references = all.flatMap(({ entries }) => entries.map(({ reference }) => reference));
  return new Set(references.map((one) => `${one.schema} ${one.name ?? ''}`));
}

class Drawing {
  readonly #id: string;
  readonly #channel: CatalogChannel;
  readonly #bundles: readonly CatalogBundle[];
  readonly #deprecated: ReadonlySet<string>;
  readonly #ids = new Map<string, string>();

  constructor(
    id: string,
    channel: CatalogChannel,
    bundles: readonly CatalogBundle[],
    deprecated: ReadonlySet<string>,
  ) {
    this.#id = id;
    this.#channel = channel;
    this.#bundles = bundles;
    this.#deprecated = deprecated;
  }

  lines(): string[] {
    const { name, entries } = this.#channel;
    const own = new Set(entries.map((entry) => entry.name));
    const heads = new Set(findHeads(entries));
    const sorted = entries.toSorted((a, b) => order(a.name, b.name));
    const nodes = [...own, ...sorted.flatMap(behind).filter((one) => !own.has(one))];
    const drawn = [...new Set(nodes)].toSorted(order);
    const lines = [`    subgraph ${this.#id}["${label(name)}"]`];
    for (const node of drawn) {
      const id = this.#assignId(node);
      const entry = entries.find((one) => one.name === node);
      lines.push(`      ${id}["${label(node)}"]`);
      if (!entry) lines.push(`      class ${id} absent`);
      else if (this.#deprecated.has(`olm.bundle ${node}`))
        lines.push(`      class ${id} deprecated`);
      if (entry && heads.has(entry)) lines.push(`      class ${id} head`);
    }
    for (const entry of sorted) lines.push(...this.#arrows(entry));
    lines.push('    end');
    if (this.#deprecated.has(`olm.channel ${name}`)) lines.push(`    class ${this.#id} deprecated`);
    return lines;
  }

  #arrows({ name, replaces = '', skips = [], skipRange = '' }: ChannelEntry): string[] {
    const to = this.#assignId(name);
    const lines = skips.map((skipped) => `      ${this.#assignId(skipped)} -. skips .-> ${to}`);
    if (replaces !== '') lines.unshift(`      ${this.#assignId(replaces)} -- replaces --> ${to}`);
    for (const from of this.#within(skipRange, name)) {
      lines.push(`      ${this.#assignId(from)} -. "skipRange ${label(skipRange)}" .-> ${to}`);
    }
    return lines;
  }

  /** Returns the other entries of the channel whose versions are in a range. */
  #within(text: string, except: string): string[] {
    const range = text === '' ? undefined : parseRange(text);
    if (!range) return [];
    const names = this.#channel.entries.map(({ name }) => name).filter((name) => name !== except);
    return names.toSorted(order).filter((name) => {
      const bundle = this.#bundles.find((one) => one.name === name);
      const parsed = bundle && bundleVersion(bundle);
      return parsed !== undefined && range(parsed.version);
    });
  }

  #assignId(name: string): string {
    const id = this.#ids.get(name) ?? `${this.#id}b${this.#ids.size}`;
    this.#ids.set(name, id);
    return id;
  }
}

function behind({ replaces = '', skips = [] }: ChannelEntry): string[] {
  return [replaces, ...skips].filter((name) => name !== '');
}
