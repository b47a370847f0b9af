/**
 * The schema language. A schema is the structural schema itself, as the API server accepts it (`JSONSchemaProps`), with
 * its static types attached. Data that the API server does not know is stored under symbols, which JSON and YAML leave
 * out: the fields that are required until their object is built, and texts for people.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export * from './containers.ts';
export * from './scalars.ts';
export { immutable } from './presence.ts';
export type { Defaulted, Input, Required, Schema, Static } from './static.ts';
