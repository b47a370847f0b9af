import { onlyKind } from './node.ts';
import type { Block, Program } from './program.ts';
import { always, type Check, type SchemaNode } from './types.ts';

/** The longest enum that is compared value by value; longer ones are looked up. */
const MAX_COMPARED = 8;

/** A value within another, as an expression in code. */
export interface ChildExpression {
  readonly node: SchemaNode;
  readonly variable: string;
  /** An expression of its index or key. */
  readonly key: string;
}

/**
 * Translates a schema into JavaScript, for schemas that validate thousands of values: one function for each list and
 * each object. A part that is not plainly valid is passed to its regular check, so the code can ignore rare cases. Each
 * subclass decides what happens if a part is refused.
 */
export abstract class Translation<Asked> {
  readonly program: Program<Asked>;
  /** The function names of nodes. */
  readonly #names = new Map<SchemaNode, string>();

  constructor(program: Program<Asked>) {
    this.program = program;
  }

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
      body.line(this.emitFallback(node));
      return name;
    }
    this.#ask(body, node.combinators?.accepts);
    this.#ask(body, node.rules?.accepts);
    body.line(this.accepted);
    return name;
  }

  /** The statement that ends the function if the value has no error. */
  protected abstract readonly accepted: string;
  /** The statement that ends the function if the value itself is wrong, whatever its items or fields are. */
  protected abstract readonly refused: string;
  /** Emits a statement that ends with the result of the node's regular check, for unusual values. */
  protected abstract emitFallback(node: SchemaNode): string;
  /** The statements before the first and after the last item or field. */
  protected abstract readonly around: readonly [
    before: string | undefined,
    after: string | undefined,
  ];
  /** The statement for an object without a required field. */
  protected abstract readonly lacking: string;
  /** Emits the statement for an object that seems to have too few or too many entries. */
  protected abstract emitWrongCount(node: SchemaNode): string;
  /** Emits the statement for an object with unknown fields, inherited fields, or fields without a value. */
  protected abstract emitUnknownFields(node: SchemaNode): string;
  /** Emits a statement that refuses the child unless the condition is true. */
  protected abstract emitRejectUnless(condition: string, place: ChildExpression): string;
  /** Emits a call of the function for a list or an object within the value. */
  protected abstract emitChildCall(name: string, place: ChildExpression): string;

  #list(node: SchemaNode, body: Block): void {
    const { items, kinds, isUnique, schema } = node;
    const { minItems, maxItems } = schema;
    body.line(`if (!Array.isArray(value)) ${this.emitFallback(node)}`);
    if (minItems) body.line(`if (value.length < ${this.constant(minItems)}) ${this.refused}`);
    if (maxItems !== undefined) {
      body.line(`if (value.length > ${this.constant(maxItems)}) ${this.refused}`);
    }
    this.#ask(body, kinds.array);
    this.#around(body, 0);
    if (items) {
      body.block('for (let i = 0; i < value.length; i++)', (each) => {
        each.line('const item = value[i];');
        this.#within(each, { node: items, variable: 'item', key: 'i' });
      });
    }
    this.#around(body, 1);
    this.#ask(body, isUnique);
  }

  #object(node: SchemaNode, body: Block): void {
    const { schema, fields, extra } = node;
    const { required = [], minProperties, maxProperties } = schema;
    const unusual = this.emitFallback(node);
    body.line(
      `if (typeof value !== 'object' || value === null || Array.isArray(value)) ${unusual}`,
    );
    const [first] = fields.keys();
    // An early read of a known field lets the engine infer the object's shape, and with it the prototype.
    if (first !== undefined) body.line(`const first = ${this.#read(first)};`);
    body.line('const prototype = Object.getPrototypeOf(value);');
    body.line(`if (prototype !== Object.prototype && prototype !== null) ${unusual}`);
    this.#around(body, 0);
    body.line('let there = 0;');
    body.line('let count = 0;');
    for (const [name, field] of fields) {
      const read = name === first ? 'first' : this.#read(name);
      this.#field(
        body,
        { node: field, variable: read, key: this.constant(name) },
        required.includes(name) ? unusual : undefined,
      );
    }
    body.block('for (const key in value)', (each) => {
      each.line('count++;');
      if (typeof extra !== 'object') return;
      each.line('const entry = value[key];');
      this.#within(each, { node: extra, variable: 'entry', key: 'key' });
    });
    // Any further field is unknown, inherited, or present without a value.
    if (extra === 'refused') body.line(`if (there !== count) ${this.emitUnknownFields(node)}`);
    const miscounted = this.emitWrongCount(node);
    if (minProperties) body.line(`if (count < ${this.constant(minProperties)}) ${miscounted}`);
    if (maxProperties !== undefined) {
      body.line(`if (count > ${this.constant(maxProperties)}) ${miscounted}`);
    }
    this.#around(body, 1);
  }

  /** Returns an expression that reads a field of the value and ignores the properties of `Object.prototype`. */
  #read(name: string): string {
    const key = this.constant(name);
    const read = `value[${key}]`;
    return name in Object.prototype ? `Object.hasOwn(value, ${key}) ? ${read} : undefined` : read;
  }

  /**
   * @param place the expression that reads the field
   * @param unusual the statement for a required field that may be present without a value
   */
  #field(body: Block, { node, variable, key }: ChildExpression, unusual: string | undefined): void {
    body.block('', (scope) => {
      scope.line(`const field = ${variable};`);
      scope.block('if (field !== undefined)', (found) => {
        found.line('there++;');
        this.#within(found, { node, variable: 'field', key });
      });
      if (unusual === undefined) return;
      scope.block('else', (absent) => {
        absent.line(`if (Object.hasOwn(value, ${key})) ${unusual}`);
        absent.line(this.lacking);
      });
    });
  }

  /** Writes code that refuses the value unless the child's node accepts the child. */
  #within(body: Block, place: ChildExpression): void {
    const { node, variable } = place;
    if (isCompound(node)) body.line(this.emitChildCall(this.translateNode(node), place));
    else if (node.accepts !== always) {
      const valid = this.#plainlyValid(node, variable);
      const call = this.call(node.accepts, variable);
      body.line(this.emitRejectUnless(valid === undefined ? call : `(${valid} || ${call})`, place));
    }
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
        const [least, most] = kinds.range.map((bound) => this.constant(bound));
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
    if (pattern) return `${isString} && ${this.call(kinds.string, variable)}`;
    const hasLength = minLength > 0 || maxLength < Infinity;
    if (values && (hasLength || values.length > MAX_COMPARED)) return undefined;
    if (values) {
      const equal = values.map((value) => `${variable} === ${this.constant(value)}`);
      return `${isString} && (${equal.join(' || ')})`;
    }
    // A character is one or two UTF-16 units: between these lengths the check counts the characters.
    const [least, most] = [Math.max(0, minLength * 2 - 1), maxLength].map((n) => this.constant(n));
    return `${isString} && ${variable}.length >= ${least} && ${variable}.length <= ${most}`;
  }

  #around(body: Block, place: 0 | 1): void {
    const statement = this.around[place];
    if (statement !== undefined) body.line(statement);
  }

  /** Writes code that refuses the value unless the check, if any, accepts it. */
  #ask(body: Block, check: Check<never> | undefined): void {
    if (check === undefined || check === always) return;
    body.line(`if (!${this.call(check, 'value')}) ${this.refused}`);
  }

  protected call(check: Check<never>, variable: string): string {
    return `${this.constant(check)}(${variable}, doubts)`;
  }

  protected constant(value: unknown): string {
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
