/** Choices that are consumed one after the other; after the last one always 0. */
export class Tape {
  readonly #choices: readonly number[];
  #next = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  /** Returns a number below `count`. */
  take(count: number): number {
    return (this.#choices[this.#next++] ?? 0) % count;
  }
}

/**
 * Writes a value as equivalent YAML, in a style that the tape selects: blocks and flows, every way to quote, tags,
 * anchors with aliases, comments. With an empty tape it is JSON.
 */
export function yamlOf(value: unknown, tape: Tape): string {
  if (tape.take(3) === 0) return `${JSON.stringify(value)}\n`;
  const writer = new Writer(tape);
  const text = writer.block(value, '');
  return `${heads[tape.take(heads.length)]}${text.replace(/^\n/, '')}${tails[tape.take(tails.length)]}`;
}

const heads = ['', '---\n', '# comment\n', '%YAML 1.2\n---\n', '\uFEFF', '--- # comment\n', '\n\n'];
const tails = ['', '\n', '...\n', '---\n', '# end', '---\n# nothing\n'];

class Writer {
  readonly #tape: Tape;
  /** Anchored values by their JSON. */
  readonly #anchors = new Map<string, string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** Writes what follows a `key:` or a `-`, including the space or line break before it. */
  block(value: unknown, indent: string): string {
    const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
    if (isEmpty) return ` ${this.#scalar(value)}\n`;
    const alias = this.#anchors.get(JSON.stringify(value));
    if (alias !== undefined) return ` *${alias}\n`;
    if (this.#tape.take(6) === 1) return ` ${this.#flow(value)}\n`;
    const anchor = indent !== '' && this.#tape.take(8) === 1 ? `x${this.#anchors.size}` : undefined;
    const start = anchor === undefined ? '\n' : ` &${anchor}\n`;
    const text = Array.isArray(value)
      ? value.map((item) => `${indent}-${this.block(item, `${indent}  `)}`).join('')
      : Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(
            ([key, item]) =>
              `${indent}${this.#key(key)}:${this.#comment()}${this.block(item, `${indent}  `)}`,
          )
          .join('');
    if (anchor !== undefined) this.#anchors.set(JSON.stringify(value), anchor);
    return start + text;
  }

  #comment(): string {
    return this.#tape.take(20) === 1 ? ' # comment\n   ' : '';
  }

  #key(key: string): string {
    return /^[A-Za-z][A-Za-z0-9./-]*$/.test(key) && !isWord.test(key) && this.#tape.take(5) !== 1
      ? key
      : JSON.stringify(key);
  }

  #flow(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#flow(item)).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return this.#scalar(value);
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries.map(([key, item]) => `${this.#key(key)}: ${this.#flow(item)}`).join(', ')}}`;
  }

  #scalar(value: unknown): string {
    if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
    const isPlain = /^[A-Za-z][A-Za-z0-9./@-]*$/.test(value) && !isWord.test(value);
    const styles = [
      JSON.stringify(value),
      `"${[...value].map((c) => (/[a-z]/.test(c) ? `\\x${c.charCodeAt(0).toString(16)}` : JSON.stringify(c).slice(1, -1))).join('')}"`,
      ...(isPlain ? [value, value, value] : []),
      ...(/^[ -~]*$/.test(value)
        ? [`'${value.replaceAll("'", "''")}'`, `!!str '${value.replaceAll("'", "''")}'`]
        : []),
    ];
    return styles[this.#tape.take(styles.length)]!;
  }
}

/** Plain words that YAML does not parse as text. */
const isWord = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

/** Changes of a text that keep it YAML, or almost. */
export const scratches: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `${text}\n---\n${text}`,
  (text) => text.replace('mallory', 'm\u0430llory'),
  (text) => text.replace(/"?kind"?:\s*"?Tenant"?/, '$&, "kind": "TenantClass"'),
  (text) => text.replace(/"?className"?:/, '"className": "open", $&'),
  (text) => text.replace(/"name":/g, '"\\u006eame":'),
  (text) => text.replaceAll('"', '\u201c'),
  (text) => text.replace(/"pods":\d+/, '"pods": 0o17'),
  (text) => text.replace(/"pods":\d+/, '"pods": 1_0'),
  (text) => text.replace(/"mallory-dev"/, '!!binary bWFsbG9yeS1kZXY='),
  (text) => text.replace(/"spec":\{/, '"spec":{"<<":{"className":"open"},'),
  (text) => text.replace(/"spec":\{/, '"spec":{<<: {className: open},'),
  (text) => text.replace(/"spec":/, '"spec":null,"Spec":'),
  (text) => `# +argocd:skip-file-rendering\n${text}`,
  (text) => `${text}\u0000`,
  (text) => `${text}\u2028---\u2028`,
];
