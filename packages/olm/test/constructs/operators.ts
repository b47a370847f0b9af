import { conditions, integer, object, required, string } from '@tenantry/crd/schema/language';
import { define } from '@tenantry/crd/define';
import type { BundleProps } from '../../constructs/bundle/props.ts';
import type { OperatorSpec } from '@tenantry/operator-kit/parts/spec';

export const cache = define({
  group: 'caches.example.com',
  kind: 'RedisCache',
  plural: 'rediscaches',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A cache in memory.', {
        spec: required(
          object('What it should be.', {
            image: required(string('What runs.', { example: 'redis:8' })),
            replicas: integer('How many.', { minimum: 0 }),
          }),
        ),
        status: object('What is the case.', {
          conditions: conditions(),
          replicas: integer('Now.'),
        }),
      }),
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    },
  },
});

export const operator: OperatorSpec = {
  name: 'redis-operator',
  version: '1.2.3',
  image: `quay.io/example/redis-operator@sha256:${'a'.repeat(64)}`,
  owned: [cache],
  access: [
    { group: 'caches.example.com', resource: 'rediscaches', verbs: ['get', 'list', 'watch'] },
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    {
      group: '',
      resource: 'secrets',
      verbs: ['get'],
      namespaces: ['redis-operator'],
      resourceNames: ['redis-operator'],
    },
  ],
};

/** The props of a bundle without findings. */
export const props: BundleProps = {
  operator,
  displayName: 'Redis Operator',
  description: 'Runs caches.',
  channels: ['candidate', 'stable'],
  defaultChannel: 'stable',
  minKubeVersion: '1.30.0',
  capabilities: 'Basic Install',
  categories: ['Database'],
  keywords: ['redis'],
  maintainers: [{ name: 'Caches', email: 'caches@example.com' }],
  provider: { name: 'Example', url: 'https://example.com' },
  links: [{ name: 'Source', url: 'https://example.com/redis-operator' }],
  icon: [
    {
      base64data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
      mediatype: 'image/svg+xml',
    },
  ],
};
