import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Change, Judgement } from './change.ts';

/** Compares two schemas of the same values. */
export type CompareNodes = (
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
) => void;

interface ComparisonContextProps {
  readonly version?: string;
  readonly path: string;
  /**
   * `structural`: fields that are not declared are dropped. `value`: the inside of a branch of
   * allOf, anyOf, oneOf or not, where what is not mentioned may be anything.
   */
  readonly mode: 'structural' | 'value';
  /** The root of an object, whose apiVersion, kind and metadata the API server checks. */
  readonly root?: boolean;
  /** A value around this one may be refused for what is in this one, other than by `rules`. */
  readonly guarded?: boolean;
  /** The object around bounds how many fields it may have. */
  readonly counted?: boolean;
  /** A CEL rule, here or around, may look at this value. */
  readonly ruled?: boolean;
  /** Unknown fields are kept here because the list around keeps them: in OLD, in NEW. */
  readonly kept?: { readonly before: boolean; readonly after: boolean };
}

/** Where in two schemas a comparison is, and where it tells what it finds. */
export class ComparisonContext {
  readonly version: string | undefined;
  readonly path: string;
  readonly mode: 'structural' | 'value';
  readonly root: boolean;
  readonly guarded: boolean;
  readonly counted: boolean;
  readonly ruled: boolean;
  readonly kept: { readonly before: boolean; readonly after: boolean };
  readonly #found: Change[];

  constructor(found: Change[], props: ComparisonContextProps) {
    this.#found = found;
    this.version = props.version;
    this.path = props.path;
    this.mode = props.mode;
    this.root = props.root ?? false;
    this.guarded = props.guarded ?? false;
    this.counted = props.counted ?? false;
    this.ruled = props.ruled ?? false;
    this.kept = props.kept ?? { before: false, after: false };
  }

  report(judgement: Judgement, below = ''): void {
    const { version } = this;
    const path = this.path + below || '.';
    this.#found.push({ ...(version !== undefined && { version }), path, ...judgement });
  }

  /** A place inside this one. What guards this one guards it too; `kept` and `counted` are
   * about one step only. */
  child(
    step: string,
    props: Partial<Omit<ComparisonContextProps, 'path' | 'version' | 'root'>> = {},
  ): ComparisonContext {
    const { version, mode, guarded, ruled } = this;
    return new ComparisonContext(this.#found, {
      ...(version !== undefined && { version }),
      mode,
      guarded,
      ruled,
      ...props,
      path: this.path + step,
    });
  }

  /** The same place, with something said about it. */
  with(
    props: Partial<Pick<ComparisonContextProps, 'guarded' | 'ruled' | 'kept'>>,
  ): ComparisonContext {
    const { version, path, mode, root, guarded, counted, ruled, kept } = this;
    return new ComparisonContext(this.#found, {
      ...(version !== undefined && { version }),
      path,
      mode,
      root,
      guarded,
      counted,
      ruled,
      kept,
      ...props,
    });
  }

  /** The same place, with what is found kept apart. */
  fork(mode: 'structural' | 'value'): {
    readonly place: ComparisonContext;
    readonly found: Change[];
  } {
    const { version, path } = this;
    const found: Change[] = [];
    const place = new ComparisonContext(found, {
      ...(version !== undefined && { version }),
      path,
      mode,
    });
    return { place, found };
  }
}

/** `.name`, or `["a/b"]` for a name that is no word. */
export function formatPathStep(name: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
