import { conversions } from '../../conversion/conversions.ts';
import { define } from '../../define.ts';
import {
  enumOf,
  integer,
  list,
  listMap,
  map,
  object,
  required,
  string,
} from '../../schema/language.ts';

const toleration = object('What the pods endure.', {
  key: required(string('The taint.', { maxLength: 63 })),
  effect: enumOf('What it does.', ['NoSchedule', 'NoExecute']),
});

const port = object('A port.', {
  name: required(string('Its name.', { maxLength: 15, pattern: '^[a-z]+$' })),
  port: required(integer('Its number.', { minimum: 1, maximum: 65535 })),
});

/** Three versions of a cache: one field is renamed, one is split in two, and some are added. */
export const redisOf = (group: string) =>
  define({
    group,
    kind: 'Redis',
    plural: 'redises',
    scope: 'Namespaced',
    versions: {
      v1: {
        storage: true,
        schema: object('A cache.', {
          spec: required(
            object('What it should be.', {
              replicas: required(integer('How many.', { minimum: 1, maximum: 9 })),
              image: object('What runs.', {
                repository: required(string('Where it lies.', { pattern: '^[a-z/.]+$' })),
                tag: required(string('Which one.', { pattern: '^[a-z0-9.]+$' })),
              }),
              mode: enumOf('How it keeps data.', ['Memory', 'Disk'], { default: 'Memory' }),
              ports: listMap('Where it listens.', 'name', port),
              tolerations: list('What the pods endure.', toleration),
              settings: map('Of the server.', string('A value.', { maxLength: 99 })),
            }),
          ),
          status: object('What it is.', { ready: integer('How many are ready.') }),
        }),
      },
      v1beta1: {
        deprecated: true,
        schema: object('A cache.', {
          spec: required(
            object('What it should be.', {
              size: required(integer('How many.', { minimum: 1, maximum: 9 })),
              image: string('What runs: where it lies and which one.', {
                pattern: '^[a-z/.]+:[a-z0-9.]+$',
              }),
              ports: listMap('Where it listens.', 'name', port),
              settings: map('Of the server.', string('A value.', { maxLength: 99 })),
            }),
          ),
          status: object('What it is.', { ready: integer('How many are ready.') }),
        }),
      },
      v1alpha1: {
        schema: object('A cache.', {
          spec: required(
            object('What it should be.', {
              size: required(integer('How many.', { minimum: 1, maximum: 9 })),
              debug: enumOf('The log level.', ['Little', 'Much']),
              port: integer('Where it listens.', { minimum: 1, maximum: 65535 }),
            }),
          ),
        }),
      },
    },
  });

export const redis = redisOf('cache.example.com');

export const conversionsOf = (definition: typeof redis) =>
  conversions(definition, 'v1', {
    v1beta1: {
      toHub: ({ spec: { size, image, ...spec }, status }) => {
        const [repository = '', tag = ''] = image?.split(':') ?? [];
        return {
          spec: {
            replicas: size,
            ...(image !== undefined && { image: { repository, tag } }),
            ...spec,
          },
          ...(status && { status }),
        };
      },
      fromHub: ({ spec: { replicas, image, ports, settings }, status }) => ({
        spec: {
          size: replicas,
          ...(image && { image: `${image.repository}:${image.tag}` }),
          ...(ports && { ports }),
          ...(settings && { settings }),
        },
        ...(status && { status }),
      }),
      keep: ['spec.mode', 'spec.tolerations'],
    },
    v1alpha1: {
      toHub: ({ spec: { size, port } }) => ({
        spec: { replicas: size, ...(port !== undefined && { ports: [{ name: 'redis', port }] }) },
      }),
      fromHub: ({ spec: { replicas, ports } }) => {
        const main = ports?.find(({ name }) => name === 'redis');
        return { spec: { size: replicas, ...(main && { port: main.port }) } };
      },
      keep: 'everything',
    },
  });

export const redisConversions = conversionsOf(redis);
