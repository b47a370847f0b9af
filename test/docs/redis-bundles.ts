import { renderBundleFiles } from '@tenantry/olm/constructs/bundle/files';
import type { BundleProps } from '@tenantry/olm/constructs/bundle/props';
import { define } from '@tenantry/crd/define';
import { integer, object } from '@tenantry/crd/schema/language';
import type { Texts } from '../synth/output/folders.ts';

const redis = (maximum: number) =>
  define({
    group: 'example.com',
    kind: 'Redis',
    plural: 'redises',
    scope: 'Namespaced',
    versions: {
      v1: {
        schema: object('A cache.', {
          spec: object('What it should be.', { size: integer('Pods.', { minimum: 1, maximum }) }),
        }),
      },
    },
  });

const propsOf = (version: string): BundleProps => ({
  operator: {
    name: 'redis-operator',
    version,
    image: `quay.io/example/redis-operator:v${version}`,
    leaderElection: 'None',
    metrics: false,
    network: false,
    owned: [redis(version === '1.2.3' ? 5 : 4)],
    access: [
      { group: '', resource: 'pods', verbs: ['get', 'list'] },
      { group: '', resource: 'services', verbs: ['get', 'list'] },
      ...(version === '1.2.3'
        ? []
        : ([
            { group: '', resource: 'secrets', verbs: ['get'] },
            {
              group: '',
              resource: 'configmaps',
              verbs: ['list', 'watch'],
              namespaces: ['redis-operator'],
            },
          ] as const)),
    ],
  },
  scorecard: false,
  displayName: 'Redis',
  description: 'Runs Redis, and keeps it running.',
  channels: ['stable'],
  defaultChannel: 'stable',
  minKubeVersion: '1.30.0',
  provider: { name: 'Example' },
  maintainers: [{ name: 'Caches', email: 'caches@example.com' }],
  links: [{ name: 'Source', url: 'https://example.com/redis-operator' }],
  capabilities: 'Seamless Upgrades',
  categories: ['Database'],
  createdAt: '2026-01-31T12:00:00Z',
  repository: 'https://example.com/redis-operator',
  support: 'Example',
  annotations: { description: 'Runs Redis in clusters.' },
  keywords: ['redis'],
  icon: [
    {
      base64data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
      mediatype: 'image/svg+xml',
    },
  ],
  ...(version === '1.3.0' && { replaces: 'redis-operator.v1.2.3' }),
});

/** Writes the bundle of a version of the operator in the pages to a folder. */
export function redisBundle(folder: string, version: '1.2.3' | '1.3.0'): Texts {
  const files = renderBundleFiles(propsOf(version)).map(({ path, text }) => [
    `${folder}/${path}`,
    text,
  ]);
  return Object.fromEntries(files) as Texts;
}
