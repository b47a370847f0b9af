/**
 * A schema as one piece of JavaScript, for whoever asks it of thousands of values. What the code
 * says yes to is valid; where it says no, the slower check has the last word, so that the code may
 * leave aside what is rare. No text of a schema gets into the code: names, numbers and checks are
 * handed to it, and it calls them `c0`, `c1` ...
 */
import { isUniqueList } from './lists.ts';
import { isOneKind } from './node.ts';
import { always, never, type Check, type Node } from './types.ts';

/** Undefined where the runtime lets nobody make code. */
export function codeOf(node: Node): Check | undefined {
  const writer = new Writer();
  const entry = writer.functionFor(node);
  try {
    const make = new Function('c', writer.program(entry)) as (constants: unknown[]) => Check;
    return make(writer.constants);
  } catch {
    return undefined;
  }
}

/** Longer enums are looked up. */
const MOST_COMPARED = 8;

class Writer {
  readonly constants: unknown[] = [];
  readonly #names = new Map<unknown, string>();
  readonly #functions = new Map<Node, string>();
  readonly #code: string[] = [];
  #variables = 0;

  program(entry: string): string {
    const constants = this.constants.map((_, i) => `const c${i}=c[${i}];`).join('');
    return `"use strict";${constants}${this.#code.join('')}return ${entry};`;
  }

  /** The name of a function that is true of values that are surely valid. */
  functionFor(node: Node): string {
    const known = this.#functions.get(node);
    if (known !== undefined) return known;
    const name = `f${this.#functions.size}`;
    this.#functions.set(node, name);
    const body = this.#body(node, 'v');
    this.#code.push(`function ${name}(v){${body}return true;}`);
    return name;
  }

  #constant(value: unknown): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `c${this.constants.push(value) - 1}`;
    this.#names.set(value, name);
    return name;
  }

  #variable(): string {
    this.#variables += 1;
    return `x${this.#variables}`;
  }

  /** Statements that return false where the value is not surely valid. */
  #check(node: Node, v: string): string {
    const isPlain = node.fields.size === 0 && node.extra === 'refused';
    const hasFunction = !isPlain || this.#functions.has(node);
    return hasFunction ? `if(!${this.functionFor(node)}(${v}))return false;` : this.#body(node, v);
  }

  #body(node: Node, v: string): string {
    const { combinators, rules } = node;
    const own = this.#own(node, v);
    if (own === undefined) return this.#ask(node.accepts, v);
    const more = [combinators?.accepts, rules && ((value: unknown) => rules.accepts(value))];
    return own + more.map((check) => (check ? this.#ask(check, v) : '')).join('');
  }

  #ask(check: Check, v: string): string {
    return check === always ? '' : `if(!${this.#constant(check)}(${v}))return false;`;
  }

  /** Undefined where the check of the node is as good as code. */
  #own(node: Node, v: string): string | undefined {
    const { kinds } = node;
    const nullable = kinds.null === always;
    if (!isOneKind({ ...kinds, null: never })) return undefined;
    const code = this.#ofKind(node, v);
    return code === undefined || !nullable ? code : `if(${v}!==null){${code}}`;
  }

  #ofKind(node: Node, v: string): string | undefined {
    const { string, number, boolean, array, object, range } = node.kinds;
    if (string !== never) return `if(typeof ${v}!=='string')return false;${this.#string(node, v)}`;
    if (boolean === always) return `if(typeof ${v}!=='boolean')return false;`;
    if (number !== never && range) {
      const [least, most] = range.map((bound) => this.#constant(bound));
      const inRange = `typeof ${v}==='number'&&${v}>=${least}&&${v}<=${most}`;
      return `if(!(${inRange}&&Number.isInteger(${v})))return false;`;
    }
    if (array !== never) return this.#list(node, v);
    return object === always ? this.#object(node, v) : undefined;
  }

  /** What is most often asked of strings alone stands in the code itself. */
  #string({ schema, kinds }: Node, v: string): string {
    const { enum: values, minLength = 0, maxLength, pattern, format } = schema;
    if (kinds.string === always || pattern || format) return this.#ask(kinds.string, v);
    const hasLength = minLength > 0 || maxLength !== undefined;
    if (values && !hasLength && values.length <= MOST_COMPARED) {
      const others = values.map((value) => `${v}!==${this.#constant(value)}`);
      return `if(${others.join('&&')})return false;`;
    }
    if (values) return this.#ask(kinds.string, v);
    // A character is one or two units of UTF-16: in between, they are counted.
    const [least, most] = [minLength * 2 - 1, maxLength ?? Infinity].map((n) => this.#constant(n));
    return `if(${v}.length<${least}||${v}.length>${most}){${this.#ask(kinds.string, v)}}`;
  }

  #list(node: Node, v: string): string {
    const { schema, items, kinds } = node;
    const { minItems, maxItems } = schema;
    const [i, item] = [this.#variable(), this.#variable()];
    const unique = isUniqueList(schema);
    return [
      `if(!Array.isArray(${v}))return false;`,
      minItems === undefined ? '' : `if(${v}.length<${this.#constant(minItems)})return false;`,
      maxItems === undefined ? '' : `if(${v}.length>${this.#constant(maxItems)})return false;`,
      this.#ask(kinds.array, v),
      items
        ? `for(let ${i}=0;${i}<${v}.length;${i}++){const ${item}=${v}[${i}];${this.#check(items, item)}}`
        : '',
      unique ? this.#ask(unique as Check, v) : '',
    ].join('');
  }

  #object(node: Node, v: string): string | undefined {
    const { schema, fields, extra } = node;
    const { required = [], minProperties, maxProperties } = schema;
    if (extra === 'kept' || required.some((name) => !fields.has(name))) return undefined;
    if (typeof extra === 'object' && fields.size > 0) return undefined;
    const [there, count, key, proto] = Array.from({ length: 4 }, () => this.#variable());
    const parts = [
      `if(typeof ${v}!=='object'||${v}===null||Array.isArray(${v}))return false;`,
      `const ${proto}=Object.getPrototypeOf(${v});`,
      `if(${proto}!==Object.prototype&&${proto}!==null)return false;`,
      `let ${there}=0,${count}=0;`,
    ];
    for (const [name, field] of fields) {
      const x = this.#variable();
      const absent = required.includes(name) ? 'else return false;' : '';
      parts.push(`const ${x}=${v}[${this.#constant(name)}];`);
      parts.push(`if(${x}!==undefined){${there}++;${this.#check(field, x)}}${absent}`);
    }
    const x = this.#variable();
    const entry =
      typeof extra === 'object' ? `const ${x}=${v}[${key}];${this.#check(extra, x)}` : '';
    parts.push(`for(const ${key} in ${v}){${count}++;${entry}}`);
    // A field more than those that were found is unknown, inherited, or there without a value.
    if (extra === 'refused') parts.push(`if(${there}!==${count})return false;`);
    if (minProperties) parts.push(`if(${count}<${this.#constant(minProperties)})return false;`);
    if (maxProperties !== undefined) {
      parts.push(`if(${count}>${this.#constant(maxProperties)})return false;`);
    }
    return parts.join('');
  }
}
