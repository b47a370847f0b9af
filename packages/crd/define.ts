import {
  crdManifest,
  uncheckedDefinition,
  type Definition,
  type DefinitionProps,
  type Schemas,
} from './definition.ts';
import { InvalidInput } from '@tenantry/kube/problem';
import { toProblem, type Verdict } from '@tenantry/kube/finding';
import { validateDefinition } from './validation/validate.ts';

/**
 * Defines a custom resource. Static types, the CustomResourceDefinition, validation, defaults,
 * samples, the reference page and the typed construct come from what this returns.
 *
 * @example
 * ```ts
 * import { define } from '@tenantry/crd';
 * import { integer, object, required, string } from '@tenantry/crd/schema';
 *
 * export const redis = define({
 *   group: 'cache.example.com',
 *   kind: 'Redis',
 *   plural: 'redises',
 *   scope: 'Namespaced',
 *   versions: {
 *     v1: {
 *       schema: object('A Redis cache.', {
 *         spec: required(
 *           object('The desired state.', {
 *             image: required(string('The image.', { maxLength: 200, example: 'redis:8' })),
 *             replicas: integer('How many.', { minimum: 0, maximum: 9, default: 1 }),
 *           }),
 *         ),
 *       }),
 *     },
 *   },
 * });
 * ```
 *
 * @throws {InvalidInput} with every rule of the API server that the definition breaks
 */
export function define<
  const S extends Schemas,
  Group extends string = string,
  Name extends string = string,
>(props: DefinitionProps<S, Group, Name>): Definition<S, Group, Name> {
  const definition = uncheckedDefinition(props);
  const { errors } = checkDefinition(definition);
  if (errors.length === 0) return definition;
  const file = `${props.plural}.${props.group}`;
  throw new InvalidInput(errors.map((finding) => toProblem(finding, { file })));
}

/**
 * Validates a definition as the API server of Kubernetes 1.36 does: reports what it refuses, and
 * what only the server can decide. Use it for definitions from `definitionOf`; `define` throws on
 * errors.
 *
 * @example
 * ```ts
 * import { checkDefinition, crdManifest, definitionOf } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const { errors } = checkDefinition(definitionOf(crdManifest(redis)));
 * console.log(errors); // []
 * ```
 */
export function checkDefinition(definition: Definition): Verdict {
  return validateDefinition(crdManifest(definition));
}
