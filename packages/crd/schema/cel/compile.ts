import { checkTypes } from './check.ts';
import { type ExpressionNode, listChildren, type Call } from './expression.ts';
import { BrokenExpression, Undecided, Failure } from './failure.ts';
import { type Library, plainLibrary } from './library.ts';
import { parse } from './parse.ts';
import { formatType, type Type, isSame } from './type.ts';
import { parseType } from './overload.ts';
import { compilePattern } from '../pattern.ts';
import { parseFormat, type Clause } from './functions/formatting.ts';
import { plan } from './plan.ts';
import { isConversion } from './steps.ts';
import { beginEvaluation } from './spending.ts';

/** A compiled expression, or the reason why it is invalid. */
export interface CompiledExpression {
  readonly node?: ExpressionNode;
  readonly error?: string;
  readonly notChecked?: string;
}

/** Compiles an expression and checks that it has the required type. */
export function compile(
  text: string,
  wanted: 'bool' | 'string',
  variables: ReadonlyMap<string, Type>,
  library: Library,
): CompiledExpression {
  try {
    const node = parse(text, library);
    const type = checkTypes(node, variables, library);
    // Only the API server evaluates literals at compile time.
    if (library.isExtended) checkLiterals(node);
    if (type.kind === wanted) return { node };
    return {
      error: `must be CEL that returns a ${wanted}, got one that returns ${formatType(type)}`,
    };
  } catch (error) {
    if (error instanceof Undecided) return { notChecked: `${error.message}: ${text.trim()}` };
    if (!(error instanceof BrokenExpression)) throw error;
    return {
      error: `must be valid CEL, got a mistake at ${place(text, error.at)}: it ${error.message}`,
    };
  }
}

/** Formats a position as `line:column`, from 1. */
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** The environment of a condition besides CEL's own functions and types. */
interface PlainEnvironment {
  /** The types of variables by name: `list<map<string, dyn>>`. */
  readonly variables: Readonly<Record<string, string>>;
  /** The signatures of functions: `semver_compare(dyn, dyn): int`. */
  readonly functions: readonly string[];
}

/** Returns the error of a condition; undefined if it is valid or cannot be decided. */
export type ConditionChecker = (text: string) => string | undefined;

/**
 * Compiles conditions as plain cel-go does, without Kubernetes' extensions: checks syntax, types, and that the result
 * is a bool.
 */
export function createConditionChecker({
  variables,
  functions,
}: PlainEnvironment): ConditionChecker {
  const types = new Map(Object.entries(variables).map(([name, type]) => [name, parseType(type)]));
  const library = plainLibrary(Object.fromEntries(functions.map((signature) => [signature, null])));
  return (text) => compile(text, 'bool', types, library).error;
}

/**
 * Validates the literals of a type-checked expression as the API server does: times and patterns must parse, lists and
 * maps must have a single type, and formats must have as many arguments as they use. Throws BrokenExpression.
 */
function checkLiterals(node: ExpressionNode, inFormat = false): void {
  if (node.kind === 'call') checkCall(node);
  if (!inFormat && node.kind === 'list') {
    expectSame(node.items.map(({ value, optional }) => [value, inner(value.type!, optional)]));
  }
  if (!inFormat && node.kind === 'map') {
    expectSame(node.entries.map(({ key }) => [key, key.type!]));
    expectSame(node.entries.map(({ value, optional }) => [value, inner(value.type!, optional)]));
  }
  const isFormat = inFormat || (node.kind === 'call' && node.name === 'format');
  for (const child of listChildren(node)) checkLiterals(child, isFormat);
}

function inner(type: Type, isOptional: boolean): Type {
  return isOptional ? (type.params[0] ?? type) : type;
}

function expectSame(typed: readonly (readonly [ExpressionNode, Type])[]): void {
  const [, wanted] = typed[0] ?? [];
  for (const [node, type] of typed) {
    if (isSame(type, wanted!)) continue;
    const message = `must be ${formatType(wanted!)} like the first, got ${formatType(type)}`;
    throw new BrokenExpression(message, node.at);
  }
}

function checkCall(node: Call): void {
  if (isConstant(node)) checkConversion(node);
  // In matches(text, pattern), the API server also treats a literal text as a pattern.
  const patterns = node.name === 'matches' ? node.args : node.target ? node.args.slice(0, 1) : [];
  if (['matches', 'find', 'findAll'].includes(node.name)) {
    for (const pattern of patterns) checkPattern(pattern);
  }
  if (node.name === 'format' && node.target?.kind === 'const') checkFormat(node);
}

/** Whether the API server computes the node before it knows any value. */
function isConstant(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'const':
      return true;
    case 'call':
      return isConversion(node) && node.name !== 'type' && isConstant(node.args[0]!);
    case 'list':
      return node.items.every(({ value, optional }) => !optional && isConstant(value));
    default:
      return false;
  }
}

function checkConversion(node: Call): void {
  try {
    beginEvaluation();
    plan(node, [])([]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `must be a value that ${node.name} takes: ${error.message}`;
    throw new BrokenExpression(message, node.at);
  }
}

function checkPattern(node: ExpressionNode): void {
  if (node.kind !== 'const' || typeof node.value !== 'string') return;
  const { error } = compilePattern(node.value);
  if (error === undefined) return;
  const message = `must be a regular expression of Go, got '${node.value}': ${error}`;
  throw new BrokenExpression(message, node.at);
}

function checkFormat({ target, args: [list], at }: Call): void {
  if (target?.kind !== 'const' || typeof target.value !== 'string' || list?.kind !== 'list') return;
  const clauses = parseFormatClauses(target.value, target.at);
  const { items } = list;
  for (const [i, { value }] of items.slice(0, clauses.length).entries()) {
    expectFormattable(clauses[i]!, value);
  }
  if (items.length !== clauses.length) {
    throw new BrokenExpression(`must have ${clauses.length} arguments, got ${items.length}`, at);
  }
}

function parseFormatClauses(text: string, at: number): readonly Clause[] {
  try {
    return parseFormat(text).clauses;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new BrokenExpression(`must be a format, got '${text}': ${error.message}`, at);
  }
}

const formattable: Readonly<Record<Clause['verb'], readonly Type['kind'][]>> = {
  s: [
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

function expectFormattable(clause: Clause, node: ExpressionNode): void {
  const type = node.type!;
  if (type.kind !== 'dyn' && !formattable[clause.verb].includes(type.kind)) {
    const must = `must be ${formattable[clause.verb].join(' or ')} for %${clause.verb}`;
    throw new BrokenExpression(`${must}, got ${formatType(type)}`, node.at);
  }
  if (clause.verb !== 's' || (node.kind !== 'list' && node.kind !== 'map')) return;
  for (const child of listChildren(node)) expectFormattable(clause, child);
}
