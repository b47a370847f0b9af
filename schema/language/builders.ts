/**
 * The schema language. A schema is the structural schema itself, as the API server takes it
 * (`JSONSchemaProps`), with its static types attached. What the API server does not know stands
 * under symbols, which JSON and YAML leave out: which fields are mandatory until their object is
 * made, and words for people.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export * from './containers.ts';
export * from './scalars.ts';
export { immutable } from './presence.ts';
export type { Defaulted, Input, Required, Schema, Static } from './static.ts';
