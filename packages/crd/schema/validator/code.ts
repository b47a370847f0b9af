/** Generates code that validates a value. It returns the same results as the checks that it is generated from. */
import { type SchemaNode, always, type Check } from './schema-node.ts';
import { onlyKind } from './node.ts';

/**
 * Replaces `quick` of the node and of the nodes within it by generated code. Leaves it unchanged if the runtime cannot
 * compile code from text, as under a Content Security Policy.
 */
export function jitCompile(node: SchemaNode): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.functions() ?? []).entries()) nodes[i]!.quick = check;
}

/** Returns the program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: SchemaNode): { program: Program; nodes: readonly SchemaNode[] } {
  const translation = new Translation();
  translation.translateNode(node);
  return { program: translation.program, nodes: translation.nodes() };
}

/** The longest enum that is compared value by value; longer ones are looked up. */
const MAX_COMPARED = 8;

/**
 * Translates a schema into JavaScript, for schemas that validate thousands of values: one function for each list and
 * each object. A part that is not plainly valid is passed to its regular check, so the code can ignore rare cases.
 */
class Translation {
  readonly program = new Program();
  readonly #names = new Map<SchemaNode, string>();

  /** The nodes in the order of their functions. */
  nodes(): readonly SchemaNode[] {
    return [...this.#names.keys()];
  }

  /** Returns the name of the function for a node. */
  translateNode(node: SchemaNode): string {
    const known = this.#names.get(node);
    if (known !== undefined) return known;
    const { name, body } = this.program.declare();
    this.#names.set(node, name);
    const kind = onlyKind(node.kinds);
    if (kind === 'array') this.#list(node, body);
    else if (kind === 'object' && canTranslateFields(node)) this.#object(node, body);
    else {
      body.line(this.#fallback(node));
      return name;
    }
    this.#refuseUnless(body, node.combinators?.accepts);
    this.#refuseUnless(body, node.rules?.accepts);
    body.line('return true;');
    return name;
  }

  /** Returns a statement that ends with the result of the node's regular check, for unusual values. */
  #fallback(node: SchemaNode): string {
    return `return ${this.#call(node.accepts, 'value')};`;
  }

  #list(node: SchemaNode, body: Block): void {
    const { items, kinds, isUnique, schema } = node;
    const { minItems, maxItems } = schema;
    body.line(`if (!Array.isArray(value)) ${this.#fallback(node)}`);
    if (minItems) body.line(`if (value.length < ${this.#constant(minItems)}) return false;`);
    if (maxItems !== undefined) {
      body.line(`if (value.length > ${this.#constant(maxItems)}) return false;`);
    }
    this.#refuseUnless(body, kinds.array);
    if (items) {
      body.block('for (let i = 0; i < value.length; i++)', (each) => {
        each.line('const item = value[i];');
        this.#within(each, items, 'item');
      });
    }
    this.#refuseUnless(body, isUnique);
  }

  #object(node: SchemaNode, body: Block): void {
    const { schema, fields, extra } = node;
    const { minProperties, maxProperties } = schema;
    const unusual = this.#fallback(node);
    body.line(
      `if (typeof value !== 'object' || value === null || Array.isArray(value)) ${unusual}`,
    );
    const [first] = fields.keys();
    // An early read of a known field lets the engine infer the object's shape, and with it the prototype.
    if (first !== undefined) body.line(`const first = ${this.#read(first)};`);
    body.line('const prototype = Object.getPrototypeOf(value);');
    body.line(`if (prototype !== Object.prototype && prototype !== null) ${unusual}`);
    body.line('let there = 0;');
    body.line('let count = 0;');
    for (const name of fields.keys()) {
      this.#field(body, node, name, name === first ? 'first' : this.#read(name));
    }
    body.block('for (const key in value)', (each) => {
      each.line('count++;');
      if (typeof extra !== 'object') return;
      each.line('const entry = value[key];');
      this.#within(each, extra, 'entry');
    });
    // Any further field is unknown, inherited, or present without a value.
    if (extra === 'refused') body.line(`if (there !== count) ${unusual}`);
    if (minProperties) body.line(`if (count < ${this.#constant(minProperties)}) ${unusual}`);
    if (maxProperties !== undefined) {
      body.line(`if (count > ${this.#constant(maxProperties)}) ${unusual}`);
    }
  }

  /** Returns an expression that reads a field of the value and ignores the properties of `Object.prototype`. */
  #read(name: string): string {
    const key = this.#constant(name);
    const read = `value[${key}]`;
    return name in Object.prototype ? `Object.hasOwn(value, ${key}) ? ${read} : undefined` : read;
  }

  /** @param read the expression that reads the field */
  #field(body: Block, object: SchemaNode, name: string, read: string): void {
    body.block('', (scope) => {
      scope.line(`const field = ${read};`);
      scope.block('if (field !== undefined)', (found) => {
        found.line('there++;');
        this.#within(found, object.fields.get(name)!, 'field');
      });
      if (!object.schema.required?.includes(name)) return;
      scope.block('else', (absent) => {
        // The field may be present without a value.
        absent.line(`if (Object.hasOwn(value, ${this.#constant(name)})) ${this.#fallback(object)}`);
        absent.line('return false;');
      });
    });
  }

  /** Writes code that refuses the value unless the node accepts a child, which is in the variable. */
  #within(body: Block, node: SchemaNode, variable: string): void {
    const condition = this.#condition(node, variable);
    if (condition !== undefined) body.line(`if (!${condition}) return false;`);
  }

  /** Returns an expression that is true if the node accepts the variable; undefined if it accepts any value. */
  #condition(node: SchemaNode, variable: string): string | undefined {
    if (isCompound(node)) return `${this.translateNode(node)}(${variable}, undetermined)`;
    if (node.accepts === always) return undefined;
    const valid = this.#plainlyValid(node, variable);
    const call = this.#call(node.accepts, variable);
    return valid === undefined ? call : `(${valid} || ${call})`;
  }

  /** Returns an expression that is true for plainly valid values; undefined if the check itself is as fast. */
  #plainlyValid(node: SchemaNode, variable: string): string | undefined {
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

  #plainString({ schema, kinds }: SchemaNode, variable: string): string | undefined {
    const isString = `typeof ${variable} === 'string'`;
    if (kinds.string === always) return isString;
    const { enum: values, minLength = 0, maxLength = Infinity, pattern } = schema;
    if (pattern) return `${isString} && ${this.#call(kinds.string, variable)}`;
    const hasLength = minLength > 0 || maxLength < Infinity;
    if (values && (hasLength || values.length > MAX_COMPARED)) return undefined;
    if (values) {
      const equal = values.map((value) => `${variable} === ${this.#constant(value)}`);
      return `${isString} && (${equal.join(' || ')})`;
    }
    // A character is one or two UTF-16 units: between these lengths the check counts the characters.
    const [least, most] = [Math.max(0, minLength * 2 - 1), maxLength].map((n) => this.#constant(n));
    return `${isString} && ${variable}.length >= ${least} && ${variable}.length <= ${most}`;
  }

  /** Writes code that refuses the value unless the check, if any, accepts it. */
  #refuseUnless(body: Block, check: Check<never> | undefined): void {
    if (check === undefined || check === always) return;
    body.line(`if (!${this.#call(check, 'value')}) return false;`);
  }

  #call(check: Check<never>, variable: string): string {
    return `${this.#constant(check)}(${variable}, undetermined)`;
  }

  #constant(value: unknown): string {
    return this.program.constant(value);
  }
}

/** Whether all values of the node, apart from null, are lists or all are objects. */
function isCompound({ kinds }: SchemaNode): boolean {
  const kind = onlyKind(kinds);
  return kind === 'array' || kind === 'object';
}

/** Whether code can be generated for the fields of the objects. */
function canTranslateFields({ schema, kinds, fields, extra }: SchemaNode): boolean {
  const { required = [] } = schema;
  if (kinds.object !== always || required.some((name) => !fields.has(name))) return false;
  return typeof extra === 'object' ? fields.size === 0 : extra === 'refused';
}

/**
 * A JavaScript program under construction: functions of a `value` and of `undetermined`, which may call each
 * other. No external text gets into it. Everything besides its own code is passed as a constant, whose name is generated here.
 */
export class Program {
  readonly #constants: unknown[] = [];
  readonly #names = new Map<unknown, string>();
  readonly #functions: { readonly name: string; readonly body: Block }[] = [];

  /** Adds a constant and returns the name that refers to it. */
  constant(value: unknown): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `c${this.#constants.push(value) - 1}`;
    this.#names.set(value, name);
    return name;
  }

  /** Declares a function. Its name is available at once; its body is written afterwards. */
  declare(): { readonly name: string; readonly body: Block } {
    const made = { name: `check${this.#functions.length}`, body: new Block('  ') };
    this.#functions.push(made);
    return made;
  }

  /** Returns code that evaluates to the functions, in the order of their declaration. */
  text(): string {
    const names = this.#functions.map(({ name }) => name).join(', ');
    return [
      `'use strict';`,
      `const [${this.#constants.map((_, i) => `c${i}`).join(', ')}] = constants;`,
      ...this.#functions.map(
        ({ name, body }) => `function ${name}(value, undetermined) {\n${body.text()}}`,
      ),
      `return [${names}];`,
    ].join('\n');
  }

  /** Returns the compiled functions; undefined if the runtime cannot compile code from text. */
  functions(): readonly Check[] | undefined {
    try {
      const make = new Function('constants', this.text()) as (constants: unknown[]) => Check[];
      return make(this.#constants);
    } catch (error) {
      if (error instanceof EvalError) return undefined;
      throw error;
    }
  }
}

/** A sequence of statements. */
class Block {
  readonly #indentation: string;
  readonly #lines: string[] = [];

  constructor(indentation: string) {
    this.#indentation = indentation;
  }

  line(statement: string): void {
    this.#lines.push(`${this.#indentation}${statement}\n`);
  }

  /** Writes `head { ... }`, or a plain block if the head is empty. */
  block(head: string, write: (inner: Block) => void): void {
    const inner = new Block(`${this.#indentation}  `);
    write(inner);
    this.line(head === '' ? '{' : `${head} {`);
    this.#lines.push(inner.text());
    this.line('}');
  }

  text(): string {
    return this.#lines.join('');
  }
}
