import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../constructs/tenant/platform.ts';
import { InvalidInput } from '../../kube/problem.ts';
import type { PlatformSpec } from '../../crds/tenantry/platform.ts';

function problems(spec: PlatformSpec): string[] {
  try {
    resolvePlatform(spec);
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return error.message.split('\n');
    throw error;
  }
}

test('a platform in TypeScript is refused for what a platform file may not say', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ clusters: [{ name: 'eu1' }], defaultClusters: ['eu1'] })).toEqual([]);
  expect(problems({ defaultClusters: ['in-cluster'] })).toEqual([]);
  expect(problems({ clusters: [] })).toEqual(['spec.clusters must have 1 to 100 items, got 0']);
  expect(problems({ clusters: [{ name: 'eu 1' }], environments: ['prod', '-Prod'] })).toEqual([
    expect.stringMatching(/^spec\.clusters\[0\]\.name must be .*, got 'eu 1'$/),
    expect.stringMatching(/^spec\.environments\[1\] must be .*, got '-Prod'$/),
  ]);
});

test('a default cluster in TypeScript is one of the clusters', () => {
  const clusters = [{ name: 'eu1' }, { name: 'us1' }];
  expect(problems({ clusters, defaultClusters: ['us1', 'us2'] })).toEqual([
    `spec.defaultClusters[1] must be one of the clusters (eu1, us1), got 'us2'`,
  ]);
});

test('so are folders that can be the same one, and keys that are none', () => {
  const folders = [{ folder: 'a/*' }, { folder: '*/b' }];
  expect(problems({ delegation: { folders }, trustedLabels: ['-'] })).toEqual([
    expect.stringMatching(/^spec\.delegation\.folders\[1\]\.folder must be more or less specific /),
    `spec.trustedLabels[0] must be a key such as 'example.com/name', got '-'`,
  ]);
});
