/**
 * A schema as JavaScript made for it, for whoever asks it of thousands of values. The code gives the
 * answers of the checks that it was made from: what is not plainly valid it asks of the check of just
 * that part, so that it may leave aside what is rare. No text of a schema gets into the code: names,
 * numbers and checks are handed to it, and it calls them `c0`, `c1` ...
 */
import { isUniqueList } from './lists.ts';
import { onlyKind } from './node.ts';
import { always, never, type Check, type Node } from './types.ts';

/** Makes `quick` of the node, and of those within, code. Nothing, where the runtime lets nobody. */
export function quicken(node: Node): void {
  const writer = new Writer();
  writer.functionFor(node);
  try {
    const make = new Function('c', writer.program()) as (constants: unknown[]) => Check[];
    const checks = make(writer.constants);
    for (const [i, one] of writer.nodes().entries()) one.quick = checks[i]!;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
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

  /** Code that gives the functions, in the order of `nodes()`. */
  program(): string {
    const constants = this.constants.map((_, i) => `const c${i}=c[${i}];`).join('');
    const names = [...this.#functions.values()].join();
    return `"use strict";${constants}${this.#code.join('')}return [${names}];`;
  }

  nodes(): Node[] {
    return [...this.#functions.keys()];
  }

  /** The name of a function that gives the answer of `node.accepts`. */
  functionFor(node: Node): string {
    const known = this.#functions.get(node);
    if (known !== undefined) return known;
    const name = `f${this.#functions.size}`;
    this.#functions.set(node, name);
    this.#code.push(`function ${name}(v,d){${this.#body(node)}}`);
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

  #call(check: Check<never>, v: string): string {
    return check === always ? 'true' : `${this.#constant(check)}(${v},d)`;
  }

  /** Statements that return false where the check says so. */
  #ask(check: Check<never>, v: string): string {
    return check === always ? '' : `if(!${this.#call(check, v)})return false;`;
  }

  /** Statements that return false where the node does not accept the value within. */
  #within(node: Node, v: string): string {
    if (isCompound(node)) return `if(!${this.functionFor(node)}(${v},d))return false;`;
    const valid = this.#scalar(node, v);
    if (valid === undefined) return this.#ask(node.accepts, v);
    return `if(!(${valid}||${this.#call(node.accepts, v)}))return false;`;
  }

  #body(node: Node): string {
    const { kinds, combinators, rules } = node;
    if (!isCompound(node)) return `return ${this.#call(node.accepts, 'v')};`;
    // What is not as usual is left to the check of the node.
    const unusual = `return ${this.#call(node.accepts, 'v')};`;
    const own = kinds.array === never ? this.#object(node, unusual) : this.#list(node, unusual);
    if (own === undefined) return unusual;
    const more = [combinators?.accepts, rules?.accepts];
    const asked = more.map((check) => (check ? this.#ask(check, 'v') : '')).join('');
    const code = `${own}${asked}return true;`;
    return kinds.null ? `if(v===null)${unusual}${code}` : code;
  }

  /** An expression that is true of what is plainly valid; undefined where the check is as good. */
  #scalar({ schema, kinds, combinators, rules }: Node, v: string): string | undefined {
    const { string, number, boolean, array, object, range } = kinds;
    if (combinators?.accepts || rules || onlyKind(kinds) === undefined) return undefined;
    if (array !== never || object !== never) return undefined;
    if (boolean === always) return `typeof ${v}==='boolean'`;
    if (number !== never) {
      if (!range) return undefined;
      const [least, most] = range.map((bound) => this.#constant(bound));
      return `typeof ${v}==='number'&&${v}>=${least}&&${v}<=${most}&&Number.isInteger(${v})`;
    }
    if (string === never) return undefined;
    const isString = `typeof ${v}==='string'`;
    if (string === always) return isString;
    const { enum: values, minLength = 0, maxLength = Infinity, pattern, format } = schema;
    if (pattern || format) return `${isString}&&${this.#call(string, v)}`;
    const hasLength = minLength > 0 || maxLength < Infinity;
    if (values && (hasLength || values.length > MOST_COMPARED)) return undefined;
    if (values) {
      const equal = values.map((value) => `${v}===${this.#constant(value)}`);
      return `${isString}&&(${equal.join('||')})`;
    }
    // A character is one or two units of UTF-16: in between, they are counted by the check.
    const [least, most] = [Math.max(0, minLength * 2 - 1), maxLength].map((n) => this.#constant(n));
    return `${isString}&&${v}.length>=${least}&&${v}.length<=${most}`;
  }

  #list({ schema, items, kinds }: Node, unusual: string): string {
    const { minItems, maxItems } = schema;
    const item = this.#variable();
    const unique = isUniqueList(schema);
    return [
      `if(!Array.isArray(v))${unusual}`,
      minItems === undefined ? '' : `if(v.length<${this.#constant(minItems)})return false;`,
      maxItems === undefined ? '' : `if(v.length>${this.#constant(maxItems)})return false;`,
      this.#ask(kinds.array, 'v'),
      items ? `for(let i=0;i<v.length;i++){const ${item}=v[i];${this.#within(items, item)}}` : '',
      unique ? this.#ask(unique, 'v') : '',
    ].join('');
  }

  #object({ schema, fields, extra, kinds }: Node, unusual: string): string | undefined {
    const { required = [], minProperties, maxProperties } = schema;
    if (kinds.object !== always) return undefined;
    if (extra === 'kept' || required.some((name) => !fields.has(name))) return undefined;
    if (typeof extra === 'object' && fields.size > 0) return undefined;
    const parts = [
      `if(typeof v!=='object'||v===null||Array.isArray(v))${unusual}`,
      `const proto=Object.getPrototypeOf(v);`,
      `if(proto!==Object.prototype&&proto!==null)${unusual}`,
      `let there=0,count=0;`,
    ];
    for (const [name, field] of fields) {
      const x = this.#variable();
      const key = this.#constant(name);
      const value =
        name in Object.prototype ? `Object.hasOwn(v,${key})?v[${key}]:undefined` : `v[${key}]`;
      const absent = `else{if(!Object.hasOwn(v,${key}))return false;${unusual}}`;
      parts.push(`const ${x}=${value};`);
      parts.push(
        `if(${x}!==undefined){there++;${this.#within(field, x)}}${required.includes(name) ? absent : ''}`,
      );
    }
    const x = this.#variable();
    const entry = typeof extra === 'object' ? `const ${x}=v[key];${this.#within(extra, x)}` : '';
    parts.push(`for(const key in v){count++;${entry}}`);
    // A field more than those that were found is unknown, inherited, or there without a value.
    if (extra === 'refused') parts.push(`if(there!==count)${unusual}`);
    if (minProperties) parts.push(`if(count<${this.#constant(minProperties)})${unusual}`);
    if (maxProperties !== undefined) {
      parts.push(`if(count>${this.#constant(maxProperties)})${unusual}`);
    }
    return parts.join('');
  }
}

/** Whether values of the node, but for null, are all lists or all objects. */
function isCompound({ kinds }: Node): boolean {
  const kind = onlyKind(kinds);
  return kind === 'array' || kind === 'object';
}
