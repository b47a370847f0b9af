import { onlyKind } from './node.ts';
import type { Block, Program } from './program.ts';
import { always, type Check, type SchemaNode } from './types.ts';

/** Longer enums are looked up. */
const MOST_COMPARED = 8;

/** What stands within a value, as code says it. */
export interface ChildExpression {
  readonly node: SchemaNode;
  readonly variable: string;
  /** An expression of its index or key. */
  readonly key: string;
}

/**
 * A schema as JavaScript made for it, for whoever asks it of thousands of values: one function for
 * each list and each object in it. What is not plainly valid is asked of the check of just that
 * part, so that the code may leave aside what is rare. What is done about a part that is refused is
 * up to the question that is asked.
 */
export abstract class Translation<Asked> {
  readonly program: Program<Asked>;
  /** What the functions of nodes are called. */
  readonly #names = new Map<SchemaNode, string>();

  constructor(program: Program<Asked>) {
    this.program = program;
  }

  /** The nodes in the order of their functions. */
  nodes(): readonly SchemaNode[] {
    return [...this.#names.keys()];
  }

  /** The name of the function that gives the answer for a node. */
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

  /** Ends where nothing is wrong with the value. */
  protected abstract readonly accepted: string;
  /** Ends where the value itself is wrong, whatever is within. */
  protected abstract readonly refused: string;
  /** Ends with what the check of the node says of the value, which is not as usual. */
  protected abstract emitFallback(node: SchemaNode): string;
  /** What stands before the first that is within, and after the last. */
  protected abstract readonly around: readonly [
    before: string | undefined,
    after: string | undefined,
  ];
  /** What becomes of an object that lacks a field that must be there. */
  protected abstract readonly lacking: string;
  /** What becomes of an object that seems to have too few or too many entries. */
  protected abstract emitWrongCount(node: SchemaNode): string;
  /** What becomes of an object with fields that are unknown, inherited, or there without a value. */
  protected abstract emitUnknownFields(node: SchemaNode): string;
  /** Refuses what is within, at the key, unless the condition holds. */
  protected abstract emitRejectUnless(condition: string, place: ChildExpression): string;
  /** Asks the function of a list or an object that is within, at the key. */
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
    // An engine that knows from the first reading what objects come knows their prototypes as well.
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
    // A field more than those that were found is unknown, inherited, or there without a value.
    if (extra === 'refused') body.line(`if (there !== count) ${this.emitUnknownFields(node)}`);
    const miscounted = this.emitWrongCount(node);
    if (minProperties) body.line(`if (count < ${this.constant(minProperties)}) ${miscounted}`);
    if (maxProperties !== undefined) {
      body.line(`if (count > ${this.constant(maxProperties)}) ${miscounted}`);
    }
    this.#around(body, 1);
  }

  /** What stands in a field of the value, and nothing that every object has. */
  #read(name: string): string {
    const key = this.constant(name);
    const read = `value[${key}]`;
    return name in Object.prototype ? `Object.hasOwn(value, ${key}) ? ${read} : undefined` : read;
  }

  /**
   * @param place with what the field is read by
   * @param unusual what is said where a required field may be there without a value
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

  /** Refuses unless the node of the place accepts what stands there. */
  #within(body: Block, place: ChildExpression): void {
    const { node, variable } = place;
    if (isCompound(node)) body.line(this.emitChildCall(this.translateNode(node), place));
    else if (node.accepts !== always) {
      const valid = this.#plainlyValid(node, variable);
      const asked = this.call(node.accepts, variable);
      body.line(
        this.emitRejectUnless(valid === undefined ? asked : `(${valid} || ${asked})`, place),
      );
    }
  }

  /** An expression that is true of what is plainly valid; undefined where the check is as good. */
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
    if (values && (hasLength || values.length > MOST_COMPARED)) return undefined;
    if (values) {
      const equal = values.map((value) => `${variable} === ${this.constant(value)}`);
      return `${isString} && (${equal.join(' || ')})`;
    }
    // A character is one or two units of UTF-16: in between, they are counted by the check.
    const [least, most] = [Math.max(0, minLength * 2 - 1), maxLength].map((n) => this.constant(n));
    return `${isString} && ${variable}.length >= ${least} && ${variable}.length <= ${most}`;
  }

  #around(body: Block, place: 0 | 1): void {
    const statement = this.around[place];
    if (statement !== undefined) body.line(statement);
  }

  /** Refuses the value unless the check, where there is one, accepts it. */
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

/** Whether values of the node, but for null, are all lists or all objects. */
function isCompound({ kinds }: SchemaNode): boolean {
  const kind = onlyKind(kinds);
  return kind === 'array' || kind === 'object';
}

/** Whether the fields of objects are such that code is made for them. */
function canTranslateFields({ schema, kinds, fields, extra }: SchemaNode): boolean {
  const { required = [] } = schema;
  if (kinds.object !== always || required.some((name) => !fields.has(name))) return false;
  return typeof extra === 'object' ? fields.size === 0 : extra === 'refused';
}
