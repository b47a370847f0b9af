/**
 * Jest compiles all code anew for each test file: its own parts, cdk8s, TypeScript's compiler, and our modules. Loaded
 * ahead of it, this keeps what was compiled, for all contexts of a worker.
 */
import vm, {
  compileFunction,
  Script,
  type CompileFunctionOptions,
  type SourceTextModuleOptions,
} from 'node:vm';

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

const { SourceTextModule } = vm;

/** Of modules the context is chosen when they are compiled, so it is the compiled code that is kept. */
const modules = new Map<string, { readonly code: string; readonly cachedData: Buffer }>();

const cachedDataOf = (module: vm.SourceTextModule): Buffer =>
  (module as unknown as { createCachedData(): Buffer }).createCachedData();

function moduleOnce(code: string, options: SourceTextModuleOptions = {}) {
  const { identifier = '' } = options;
  const found = modules.get(identifier);
  // Node itself compares no more than the length.
  const cachedData = found?.code === code ? found.cachedData : undefined;
  const kept = cachedData && moduleFrom(code, { ...options, cachedData });
  if (kept) return kept;
  const module = new SourceTextModule(code, options);
  modules.set(identifier, { code, cachedData: cachedDataOf(module) });
  return module;
}

/** None where V8 does not take what was compiled: a test has changed one of its flags since. */
function moduleFrom(code: string, options: SourceTextModuleOptions) {
  try {
    return new SourceTextModule(code, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return undefined;
  }
}

// Called with `new`, and asked what it can do.
moduleOnce.prototype = SourceTextModule.prototype;

Object.assign(vm, { compileFunction: compiledOnce, SourceTextModule: moduleOnce });
