import {
  applyOptions,
  type IntOrStringOptions,
  type NumberOptions,
  type Options,
  type StringOptions,
} from './options.ts';
import type { Defaulted, Schema } from './static.ts';

/**
 * A string.
 *
 * @example
 * ```ts
 * import { compileSchema, string } from '@tenantry/crd/schema';
 *
 * const color = string('Its color.', { pattern: '^#[0-9a-f]{6}$', must: "a color like '#ff0000'" });
 * console.log(compileSchema(color).accepts('red')); // false
 * ```
 */
export function string(
  description: string,
  options: StringOptions & { readonly default: string },
): Defaulted<string>;
export function string(
  description: string,
  options?: StringOptions & { readonly default?: string },
): Schema<string>;
export function string(description: string, options: StringOptions = {}): Schema<string> {
  return applyOptions({ type: 'string', description }, options);
}

/**
 * One of a closed list of strings.
 *
 * @example
 * ```ts
 * import { enumOf, type Static } from '@tenantry/crd/schema';
 *
 * const policy = enumOf('Whether it is kept.', ['Retain', 'Delete'], { default: 'Retain' });
 * const value: Static<typeof policy> = 'Delete';
 * console.log(value); // Delete
 * ```
 */
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options: Options<NoInfer<V>> & { readonly default: NoInfer<V> },
): Defaulted<V>;
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options?: Options<NoInfer<V>> & { readonly default?: NoInfer<V> },
): Schema<V>;
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options: Options<V> = {},
): Schema<V> {
  return applyOptions({ type: 'string', description, enum: values }, options);
}

/**
 * A whole number of 32 bits, or of 64 with format `int64`, of which JSON readers keep 53.
 *
 * @example
 * ```ts
 * import { compileSchema, integer } from '@tenantry/crd/schema';
 *
 * const replicas = integer('How many.', { minimum: 0, maximum: 9 });
 * console.log(compileSchema(replicas).accepts(10)); // false
 * ```
 */
export function integer(
  description: string,
  options: NumberOptions & { readonly default: number },
): Defaulted<number>;
export function integer(
  description: string,
  options?: NumberOptions & { readonly default?: number },
): Schema<number>;
export function integer(description: string, options: NumberOptions = {}): Schema<number> {
  return applyOptions({ type: 'integer', description, format: 'int32' }, options);
}

/**
 * A number with a fraction. Kubernetes' API conventions prefer integers and quantities.
 *
 * @example
 * ```ts
 * import { compileSchema, number } from '@tenantry/crd/schema';
 *
 * const share = number('The share.', { minimum: 0, maximum: 1 });
 * console.log(compileSchema(share).accepts(0.5)); // true
 * ```
 */
export function number(
  description: string,
  options: NumberOptions & { readonly default: number },
): Defaulted<number>;
export function number(
  description: string,
  options?: NumberOptions & { readonly default?: number },
): Schema<number>;
export function number(description: string, options: NumberOptions = {}): Schema<number> {
  return applyOptions({ type: 'number', description }, options);
}

/**
 * True or false. Kubernetes' API conventions prefer `enumOf`, which can have a third value later.
 *
 * @example
 * ```ts
 * import { boolean, object, type Input } from '@tenantry/crd/schema';
 *
 * const spec = object('The desired state.', { paused: boolean('Stops it.', { default: false }) });
 * const written: Input<typeof spec> = {};
 * console.log(written); // {}
 * ```
 */
export function boolean(
  description: string,
  options: Options<boolean> & { readonly default: boolean },
): Defaulted<boolean>;
export function boolean(
  description: string,
  options?: Options<boolean> & { readonly default?: boolean },
): Schema<boolean>;
export function boolean(description: string, options: Options<boolean> = {}): Schema<boolean> {
  return applyOptions({ type: 'boolean', description }, options);
}

/**
 * A whole number or a string, in the form of Kubernetes' IntOrString and Quantity.
 *
 * @example
 * ```ts
 * import { compileSchema, intOrString } from '@tenantry/crd/schema';
 *
 * const port = compileSchema(intOrString('A port, by number or by name.'));
 * console.log(port.accepts(80), port.accepts('http'), port.accepts(true)); // true true false
 * ```
 */
export function intOrString(
  description: string,
  options: IntOrStringOptions & { readonly default: number | string },
): Defaulted<number | string>;
export function intOrString(
  description: string,
  options?: IntOrStringOptions & { readonly default?: number | string },
): Schema<number | string>;
export function intOrString(
  description: string,
  options: IntOrStringOptions = {},
): Schema<number | string> {
  return applyOptions(
    {
      description,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    },
    options,
  );
}
