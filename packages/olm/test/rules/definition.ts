/** JSON that a test changes at will. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Free = any;

/** Builds a valid definition. */
export function definition(): Free {
  const part = (name: string) => ({ type: 'object', properties: { [name]: { type: 'integer' } } });
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: part('replicas'), status: part('ready') },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'redis.cache.example.com' },
    spec: {
      group: 'cache.example.com',
      scope: 'Namespaced',
      names: { plural: 'redis', singular: 'redis', kind: 'Redis', listKind: 'RedisList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
