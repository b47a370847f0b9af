import type { JSONSchemaProps } from '../schema/json-schema.ts';
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
   * How the place is compared. `structural`: undeclared fields are dropped. `value`: inside a
   * branch of allOf, anyOf, oneOf or not, where undeclared fields may have any value.
   */
  readonly mode: 'structural' | 'value';
  /** Whether this is the root of an object, whose apiVersion, kind and metadata the API server checks. */
  readonly root?: boolean;
  /** Whether an enclosing value may be refused for what this one contains, other than by `rules`. */
  readonly guarded?: boolean;
  /** Whether the enclosing object limits the number of its fields. */
  readonly counted?: boolean;
  /** Whether a CEL rule, here or at an enclosing value, may read this value. */
  readonly ruled?: boolean;
  /** Whether the enclosing list makes this place keep unknown fields, in OLD and in NEW. */
  readonly kept?: { readonly before: boolean; readonly after: boolean };
}

/** The current place of a comparison in two schemas, and the receiver of what it finds. */
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

  /** Returns a place inside this one. It inherits `guarded`; `kept` and `counted` apply to one step only. */
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

  /** Returns the same place with further properties. */
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

  /** Returns the same place with its own list of changes. */
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

/** Formats `.name`, or `["a/b"]` for a name that is not an identifier. */
export function formatPathStep(name: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
