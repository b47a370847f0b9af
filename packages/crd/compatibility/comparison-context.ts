import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { Difference, type Change } from './change.ts';

/** Compares two schemas of the same values, or some of their keywords. */
export type SchemaComparison = (
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
) => void;

/** How a place is compared. */
interface PlaceProps {
  /**
   * `structural`: undeclared fields are dropped. `value`: inside a branch of allOf, anyOf, oneOf or
   * not, where undeclared fields may have any value.
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

/** What all places of a comparison share. */
interface Comparison {
  readonly version: string | undefined;
  readonly found: Change[];
  /** Compares all keywords of two schemas, and the schemas in them. */
  readonly compare: SchemaComparison;
}

/** The current place of a comparison in two schemas, and the receiver of what it finds. */
export class ComparisonContext implements Required<PlaceProps> {
  readonly mode: 'structural' | 'value';
  readonly root: boolean;
  readonly guarded: boolean;
  readonly counted: boolean;
  readonly ruled: boolean;
  readonly kept: { readonly before: boolean; readonly after: boolean };
  readonly #comparison: Comparison;
  readonly #path: string;

  constructor(comparison: Comparison, path: string, props: PlaceProps) {
    this.#comparison = comparison;
    this.#path = path;
    this.mode = props.mode;
    this.root = props.root ?? false;
    this.guarded = props.guarded ?? false;
    this.counted = props.counted ?? false;
    this.ruled = props.ruled ?? false;
    this.kept = props.kept ?? { before: false, after: false };
  }

  /** Begins a change here, or at a step below. */
  change(rule: string, before?: unknown, after?: unknown, step = ''): Difference {
    const { found, version } = this.#comparison;
    return new Difference(found, version, this.#path + step || '.', rule, before, after);
  }

  /** Compares two schemas that are at this place. */
  compare(before: JSONSchemaProps, after: JSONSchemaProps): void {
    this.#comparison.compare(before, after, this);
  }

  /** Returns a place inside this one. It inherits `guarded`; `kept` and `counted` apply to one step only. */
  child(step: string, props: Pick<PlaceProps, 'kept' | 'counted'> = {}): ComparisonContext {
    const { mode, guarded, ruled } = this;
    const inherited = { mode, guarded, ruled, ...props };
    return new ComparisonContext(this.#comparison, this.#path + step, inherited);
  }

  /** Returns the same place with further properties. */
  with(props: Pick<PlaceProps, 'guarded' | 'ruled'>): ComparisonContext {
    const { mode, root, guarded, counted, ruled, kept } = this;
    const all = { mode, root, guarded, counted, ruled, kept, ...props };
    return new ComparisonContext(this.#comparison, this.#path, all);
  }

  /** Returns the changes between two schemas of a branch at this place, without reporting them. */
  compareBranch(before: JSONSchemaProps, after: JSONSchemaProps): readonly Change[] {
    const found: Change[] = [];
    const aside = { ...this.#comparison, found };
    new ComparisonContext(aside, this.#path, { mode: 'value' }).compare(before, after);
    return found;
  }
}

/** Formats `.name`, or `["a/b"]` for a name that is not an identifier. */
export function formatPathStep(name: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
