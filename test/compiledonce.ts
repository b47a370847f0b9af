/**
 * Jest compiles what is in CommonJS anew for each test file: its own parts, cdk8s, TypeScript's compiler. Loaded
 * ahead of it, this keeps a script of each, which is compiled once for all contexts of a worker.
 */
import vm, { compileFunction, Script, type CompileFunctionOptions } from 'node:vm';

interface Kept {
  readonly code: string;
  readonly script: Script | undefined;
}

/** By the path. */
const kept = new Map<string, Kept>();

function compiledOnce(
  code: string,
  parameters: readonly string[] = [],
  options: CompileFunctionOptions = {},
): unknown {
  const { filename = '', parsingContext } = options;
  if (parsingContext && filename.includes('/node_modules/')) {
    let found = kept.get(filename);
    if (found?.code !== code) {
      found = { code, script: scriptOf(code, parameters, filename) };
      kept.set(filename, found);
    }
    if (found.script) return found.script.runInContext(parsingContext);
  }
  return compileFunction(code, parameters, options);
}

/** None where something is imported later: whom it is imported for differs from file to file. */
function scriptOf(code: string, parameters: readonly string[], filename: string) {
  if (/\bimport\s*\(/.test(code)) return undefined;
  const before = `(function (${parameters.join(', ')}) {`;
  return new Script(`${before}${code}\n})`, { filename, columnOffset: -before.length });
}

Object.assign(vm, { compileFunction: compiledOnce });
