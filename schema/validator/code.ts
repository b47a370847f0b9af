/**
 * A schema as JavaScript made for it, for whoever asks it of thousands of values. The code gives the
 * answers of the checks that it was made from: what is not plainly valid it asks of the check of just
 * that part, so that it may leave aside what is rare.
 */
import { onlyKind } from './node.ts';
import { Program, type Block } from './program.ts';
import { always, type Check, type Node } from './types.ts';

/**
 * Turns `quick` of the node, and of those within, into code. It stays as it is where the runtime
 * makes no code from texts, as under a Content Security Policy.
 */
export function quicken(node: Node): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.checks() ?? []).entries()) nodes[i]!.quick = check;
}

/** The program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: Node): { program: Program; nodes: readonly Node[] } {
  const translation = new Translation();
  translation.checkOf(node);
  return { program: translation.program, nodes: [...translation.names.keys()] };
}

/** Longer enums are looked up. */
const MOST_COMPARED = 8;

class Translation {
  readonly program = new Program();
  /** What the checks of nodes are called. */
  readonly names = new Map<Node, string>();

  /** The name of the check that gives the answer of `node.accepts`. */
  checkOf(node: Node): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const { name, body } = this.program.check();
    this.names.set(node, name);
    // What is not as usual is left to the check of the node.
    const unusual = `return ${this.#call(node.accepts, 'value')};`;
    const kind = onlyKind(node.kinds);
    if (kind === 'array') this.#list(node, body, unusual);
    else if (kind === 'object' && isUsual(node)) this.#object(node, body, unusual);
    else {
      body.line(unusual);
      return name;
    }
    this.#ask(body, node.combinators?.accepts, 'value');
    this.#ask(body, node.rules?.accepts, 'value');
    body.line('return true;');
    return name;
  }

  #list({ items, kinds, isUnique, schema }: Node, body: Block, unusual: string): void {
    const { minItems, maxItems } = schema;
    body.line(`if (!Array.isArray(value)) ${unusual}`);
    if (minItems) body.line(`if (value.length < ${this.#constant(minItems)}) return false;`);
    if (maxItems !== undefined) {
      body.line(`if (value.length > ${this.#constant(maxItems)}) return false;`);
    }
    this.#ask(body, kinds.array, 'value');
    if (items) {
      body.block('for (let i = 0; i < value.length; i++)', (each) => {
        each.line('const item = value[i];');
        this.#within(each, items, 'item');
      });
    }
    this.#ask(body, isUnique, 'value');
  }

  #object({ schema, fields, extra }: Node, body: Block, unusual: string): void {
    const { required = [], minProperties, maxProperties } = schema;
    body.line(
      `if (typeof value !== 'object' || value === null || Array.isArray(value)) ${unusual}`,
    );
    body.line('const prototype = Object.getPrototypeOf(value);');
    body.line(`if (prototype !== Object.prototype && prototype !== null) ${unusual}`);
    body.line('let there = 0;');
    body.line('let count = 0;');
    for (const [name, field] of fields) {
      this.#field(body, name, field, required.includes(name) ? unusual : undefined);
    }
    body.block('for (const key in value)', (each) => {
      each.line('count++;');
      if (typeof extra !== 'object') return;
      each.line('const entry = value[key];');
      this.#within(each, extra, 'entry');
    });
    // A field more than those that were found is unknown, inherited, or there without a value.
    if (extra === 'refused') body.line(`if (there !== count) ${unusual}`);
    if (minProperties) body.line(`if (count < ${this.#constant(minProperties)}) ${unusual}`);
    if (maxProperties !== undefined) {
      body.line(`if (count > ${this.#constant(maxProperties)}) ${unusual}`);
    }
  }

  /** @param unusual what is said where a required field may be there without a value */
  #field(body: Block, name: string, field: Node, unusual: string | undefined): void {
    const key = this.#constant(name);
    const isThere = `Object.hasOwn(value, ${key})`;
    const read =
      name in Object.prototype ? `${isThere} ? value[${key}] : undefined` : `value[${key}]`;
    body.block('', (scope) => {
      scope.line(`const field = ${read};`);
      scope.block('if (field !== undefined)', (found) => {
        found.line('there++;');
        this.#within(found, field, 'field');
      });
      if (unusual === undefined) return;
      scope.block('else', (absent) => {
        absent.line(`if (!${isThere}) return false;`);
        absent.line(unusual);
      });
    });
  }

  /** Refuses unless the node accepts what the variable holds. */
  #within(body: Block, node: Node, variable: string): void {
    if (isCompound(node)) {
      body.line(`if (!${this.checkOf(node)}(${variable}, doubts)) return false;`);
      return;
    }
    const valid = this.#plainlyValid(node, variable);
    if (valid === undefined) this.#ask(body, node.accepts, variable);
    else body.line(`if (!(${valid} || ${this.#call(node.accepts, variable)})) return false;`);
  }

  /** An expression that is true of what is plainly valid; undefined where the check is as good. */
  #plainlyValid(node: Node, variable: string): string | undefined {
    const { kinds, combinators, rules } = node;
    if (combinators?.accepts || rules) return undefined;
    switch (onlyKind(kinds)) {
      case 'string':
        return this.#plainString(node, variable);
      case 'number': {
        if (!kinds.range) return undefined;
        const [least, most] = kinds.range.map((bound) => this.#constant(bound));
        const isWithin = `${variable} >= ${least} && ${variable} <= ${most}`;
        return `typeof ${variable} === 'number' && ${isWithin} && Number.isInteger(${variable})`;
      }
      case 'boolean':
        return kinds.boolean === always ? `typeof ${variable} === 'boolean'` : undefined;
      default:
        return undefined;
    }
  }

  #plainString({ schema, kinds }: Node, variable: string): string | undefined {
    const isString = `typeof ${variable} === 'string'`;
    if (kinds.string === always) return isString;
    const { enum: values, minLength = 0, maxLength = Infinity, pattern } = schema;
    if (pattern) return `${isString} && ${this.#call(kinds.string, variable)}`;
    const hasLength = minLength > 0 || maxLength < Infinity;
    if (values && (hasLength || values.length > MOST_COMPARED)) return undefined;
    if (values) {
      const equal = values.map((value) => `${variable} === ${this.#constant(value)}`);
      return `${isString} && (${equal.join(' || ')})`;
    }
    // A character is one or two units of UTF-16: in between, they are counted by the check.
    const [least, most] = [Math.max(0, minLength * 2 - 1), maxLength].map((n) => this.#constant(n));
    return `${isString} && ${variable}.length >= ${least} && ${variable}.length <= ${most}`;
  }

  /** Refuses unless the check, where there is one, accepts what the variable holds. */
  #ask(body: Block, check: Check<never> | undefined, variable: string): void {
    if (check === undefined || check === always) return;
    body.line(`if (!${this.#call(check, variable)}) return false;`);
  }

  #call(check: Check<never>, variable: string): string {
    return `${this.#constant(check)}(${variable}, doubts)`;
  }

  #constant(value: unknown): string {
    return this.program.constant(value);
  }
}

/** Whether values of the node, but for null, are all lists or all objects. */
function isCompound({ kinds }: Node): boolean {
  const kind = onlyKind(kinds);
  return kind === 'array' || kind === 'object';
}

/** Whether the fields of objects are such that code is made for them. */
function isUsual({ schema, kinds, fields, extra }: Node): boolean {
  const { required = [] } = schema;
  if (kinds.object !== always || required.some((name) => !fields.has(name))) return false;
  return typeof extra === 'object' ? fields.size === 0 : extra === 'refused';
}
