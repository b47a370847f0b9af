import { App } from '../../index.ts';
import { Bundle } from '@tenantry/olm/constructs';
import { redisOperator } from './operator.ts';

/** Creates the bundle of the operator for OLM. */
export function redisBundle(app: App): Bundle {
  return new Bundle(app, 'bundle', {
    operator: redisOperator,
    displayName: 'Redis',
    description: 'Runs so many Redis servers, each in a pod of its own.',
    channels: ['candidate'],
    capabilities: 'Basic Install',
    categories: ['Database'],
    keywords: ['redis', 'cache'],
    minKubeVersion: '1.30.0',
    provider: { name: 'Example' },
    maintainers: [{ name: 'Caches', email: 'caches@example.com' }],
    links: [{ name: 'Source', url: 'https://example.com/redis-operator' }],
    repository: 'https://example.com/redis-operator',
    suite: 'community',
  });
}

if (import.meta.main) {
  const app = new App();
  redisBundle(app);
  app.synth();
}
