/** The public API of the package, as the compiler declares it to users. */
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isExpressionWithTypeArguments,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isTypeQueryNode,
  isTypeReferenceNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import type { Node } from 'typescript/unstable/ast';
import {
  API,
  SymbolFlags,
  type Checker,
  type Project,
  type Symbol,
} from 'typescript/unstable/sync';
import { declare } from './compile.ts';
import { entryPoints } from './packages.ts';
import { root } from './steps.ts';

/** An export of an entry point of the package. */
export interface Exported {
  readonly name: string;
  /** Its doc comment without tags; empty where there is none. */
  readonly description: string;
  /** The text of each `@example`. */
  readonly examples: readonly string[];
  /**
   * The declaration: complete types, without bodies, comments or private members. For a namespace, its
   * values; or its types, where it has no values.
   */
  readonly declaration: string;
  /** Types of this package that the declaration refers to and that no entry point exports. */
  readonly hidden: readonly string[];
}

/** The exports of an entry point, sorted by name. */
export interface EntryPointSurface {
  readonly name: string;
  readonly exports: readonly Exported[];
}

/**
 * Reads the package's declarations.
 *
 * @param written a folder that has them. @default - a temporary folder
 */
export function readSurface(written?: string): EntryPointSurface[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenantry-surface-')));
  try {
    const declared = join(folder, 'declared');
    if (written === undefined) declarationsTo(declared);
    else cpSync(written, declared, { recursive: true, verbatimSymlinks: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const config = join(folder, 'tsconfig.json');
    const files = entryPoints.map(({ source }) => join(declared, declarationOf(source)));
    writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), files }));
    const api = new API({ cwd: folder });
    try {
      const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
      if (!project) throw new Error(`the compiler must open ${config}`);
      return new Reader(project, declared).entryPoints();
    } finally {
      api.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const declarationOf = (source: string): string => source.replace(/\.ts$/, '.d.ts');

function declarationsTo(folder: string): void {
  // The sources are type-checked separately.
  if (!declare(folder, '--noCheck')) throw new Error('the package must compile');
}

class Reader {
  readonly #checker: Checker;
  readonly #project: Project;
  readonly #folder: string;

  constructor(project: Project, folder: string) {
    this.#project = project;
    this.#checker = project.checker;
    this.#folder = folder;
  }

  entryPoints(): EntryPointSurface[] {
    const found = entryPoints.map(({ name, source }) => ({
      name,
      symbols: this.#exportsOf(source),
    }));
    const known = new Set(
      found.flatMap(({ symbols }) =>
        symbols
          .flatMap((symbol) => [symbol, ...this.#members(symbol)])
          .flatMap((symbol) => [symbol, ...this.#renamed(symbol)])
          .map(this.#idOf),
      ),
    );
    return found.map(({ name, symbols }) => ({
      name,
      exports: symbols.map((symbol) =>
        this.#isNamespace(symbol) ? this.#namespace(symbol, known) : this.#whole(symbol, known),
      ),
    }));
  }

  /** Returns the exports by the names of the entry point. */
  #exportsOf(source: string): Symbol[] {
    const file = this.#project.program.getSourceFile(join(this.#folder, declarationOf(source)));
    const entryPoint = file && this.#checker.getSymbolAtLocation(file);
    if (!entryPoint) throw new Error(`${source} must be a module`);
    return sorted(this.#checker.getExportsOfModule(entryPoint));
  }

  readonly #idOf = (symbol: Symbol): number => this.#target(symbol).id;

  /** Whether a symbol is an `export * as name`. */
  #isNamespace(symbol: Symbol): boolean {
    return (this.#target(symbol).flags & SymbolFlags.ValueModule) !== 0;
  }

  #members(symbol: Symbol): Symbol[] {
    return this.#isNamespace(symbol)
      ? sorted(this.#checker.getExportsOfModule(this.#target(symbol)))
      : [];
  }

  /** Returns Pod for `type Pod = api.Pod`: users can reach one through the other. */
  #renamed(symbol: Symbol): Symbol[] {
    return nodesOf(this.#target(symbol)).flatMap((node) => {
      if (!isTypeAliasDeclaration(node) || !isTypeReferenceNode(node.type)) return [];
      if (node.type.typeArguments) return [];
      return this.#checker.getSymbolAtLocation(node.type.typeName) ?? [];
    });
  }

  #target(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #whole(exported: Symbol, known: ReadonlySet<number>): Exported {
    const symbol = this.#target(exported);
    const nodes = nodesOf(symbol);
    return {
      ...this.#readComment(symbol),
      name: exported.name,
      declaration: nodes.map((node) => this.#print(node)).join('\n'),
      hidden: [...new Set(nodes.flatMap((node) => this.#hidden(node, known)))].toSorted(),
    };
  }

  /** Reads a namespace, whose doc comment is in the entry point. */
  #namespace(symbol: Symbol, known: ReadonlySet<number>): Exported {
    const members = this.#members(symbol).map((member) => this.#target(member));
    const nodes = members.flatMap(nodesOf);
    const isType = (node: Node): boolean =>
      isInterfaceDeclaration(node) || isTypeAliasDeclaration(node);
    const printed = (nodes.every(isType) ? nodes : nodes.filter((node) => !isType(node))).map(
      (node) => this.#print(node).replace(/^export declare /, 'export '),
    );
    const hidden = nodes.flatMap((node) => this.#hidden(node, known));
    return {
      ...readExportComment(symbol),
      name: symbol.name,
      declaration: [`export declare namespace ${symbol.name} {`, ...printed, '}'].join('\n'),
      hidden: [...new Set(hidden)].toSorted(),
    };
  }

  /** Reads the doc comment of a symbol. */
  #readComment(symbol: Symbol): Pick<Exported, 'description' | 'examples'> {
    const tags = symbol.getJsDocTags(this.#checker);
    return {
      description: symbol.getDocumentationComment(this.#checker),
      examples: tags.flatMap(({ name, text }) => (name === 'example' ? [text ?? ''] : [])),
    };
  }

  #print(node: Node): string {
    return this.#project.emitter
      .printNode(node)
      .split('\n')
      .filter((line) => !/^\s*(#private;|private )/.test(line))
      .join('\n');
  }

  /** Lists the types below a node that the package declares and no entry point exports. */
  #hidden(node: Node, known: ReadonlySet<number>): string[] {
    const found: string[] = [];
    const visit = (one: Node): void => {
      const name = nameIn(one);
      const symbol = name && this.#checker.getSymbolAtLocation(name);
      if (symbol) {
        const target = this.#target(symbol);
        if (this.#isOurs(target) && !known.has(target.id)) found.push(target.name);
      }
      one.forEachChild(visit);
    };
    visit(node);
    return found;
  }

  #isOurs({ flags, declarations }: Symbol): boolean {
    if (flags & SymbolFlags.TypeParameter) return false;
    return declarations.some(
      ({ path }) => path.startsWith(this.#folder) && !path.includes('/node_modules/'),
    );
  }
}

/** Reads the comment above `export * as name`, which the checker does not assign to the name. */
function readExportComment({ declarations }: Symbol): Pick<Exported, 'description' | 'examples'> {
  const comment = declarations[0]?.resolve()?.parent.jsDoc?.at(-1)?.getText() ?? '';
  const lines = comment.replace(/^\/\*\*|\*\/$/g, '').split('\n');
  const text = lines.map((line) => line.replace(/^ \* ?/, '')).join('\n');
  const [description = '', ...examples] = text.split('@example');
  return { description: description.trim(), examples: examples.map((one) => one.trim()) };
}

function sorted(symbols: readonly Symbol[]): Symbol[] {
  return symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function nodesOf({ declarations }: Symbol): Node[] {
  return declarations.map((handle) => statementOf(handle.resolve()!));
}

/** Returns the statement of a declaration: for a variable, its `export declare const`. */
function statementOf(node: Node): Node {
  return isVariableDeclaration(node) ? node.parent.parent : node;
}

/** Returns the name in a node that refers to a type. */
function nameIn(node: Node): Node | undefined {
  if (isTypeReferenceNode(node)) return node.typeName;
  if (isTypeQueryNode(node)) return node.exprName;
  return isExpressionWithTypeArguments(node) ? node.expression : undefined;
}
