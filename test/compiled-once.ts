/**
 * Keeps compiled code for all contexts of a worker. Jest compiles all code again for each test file: its own parts,
 * cdk8s, TypeScript's compiler, and this repository's modules. This file must be loaded before jest.
 */
import vm, {
  compileFunction,
  Script,
  type CompileFunctionOptions,
  type SourceTextModuleOptions,
} from 'node:vm';

interface CompiledCode {
  readonly code: string;
  readonly script: Script | undefined;
}

/** Compiled code by path. */
const compiled = new Map<string, CompiledCode>();

function compiledOnce(
  code: string,
  parameters: readonly string[] = [],
  options: CompileFunctionOptions = {},
): unknown {
  const { filename = '', parsingContext } = options;
  if (parsingContext && filename.includes('/node_modules/')) {
    let found = compiled.get(filename);
    if (found?.code !== code) {
      found = { code, script: scriptOf(code, parameters, filename) };
      compiled.set(filename, found);
    }
    if (found.script) return found.script.runInContext(parsingContext);
  }
  return compileFunction(code, parameters, options);
}

/** Returns nothing for code with dynamic imports, because their importer differs from file to file. */
function scriptOf(code: string, parameters: readonly string[], filename: string) {
  if (/\bimport\s*\(/.test(code)) return undefined;
  const before = `(function (${parameters.join(', ')}) {`;
  return new Script(`${before}${code}\n})`, { filename, columnOffset: -before.length });
}

const { SourceTextModule } = vm;

/** Compiling a module binds it to a context, so only its compiled code is kept. */
const modules = new Map<string, { readonly code: string; readonly cachedData: Buffer }>();

const cachedDataOf = (module: vm.SourceTextModule): Buffer =>
  (module as unknown as { createCachedData(): Buffer }).createCachedData();

function moduleOnce(code: string, options: SourceTextModuleOptions = {}) {
  const { identifier = '' } = options;
  const found = modules.get(identifier);
  // Node itself compares only the length.
  const cachedData = found?.code === code ? found.cachedData : undefined;
  const cached = cachedData && moduleFrom(code, { ...options, cachedData });
  if (cached) return cached;
  const module = new SourceTextModule(code, options);
  modules.set(identifier, { code, cachedData: cachedDataOf(module) });
  return module;
}

/** Returns nothing if V8 rejects the cached code because a test has changed a V8 flag since. */
function moduleFrom(code: string, options: SourceTextModuleOptions) {
  try {
    return new SourceTextModule(code, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return undefined;
  }
}

// Called with `new`, and inspected for its features.
moduleOnce.prototype = SourceTextModule.prototype;

Object.assign(vm, { compileFunction: compiledOnce, SourceTextModule: moduleOnce });
