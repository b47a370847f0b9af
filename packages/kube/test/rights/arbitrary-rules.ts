import fc from 'fast-check';
import type { ObjectRight, RightsRule } from '../../rights/rights.ts';

const some = (...all: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 3 });

const objects: fc.Arbitrary<RightsRule> = fc
  .record({
    verbs: some('get', 'list', 'create', 'update', '*'),
    apiGroups: some('', 'apps', 'example.com', '*'),
    resources: some(
      'pods',
      'pods/log',
      'deployments',
      'deployments/scale',
      '*',
      '*/scale',
      '*/log',
    ),
    resourceNames: fc.option(some('a', 'b', ''), { nil: undefined, freq: 2 }),
  })
  .map(({ resourceNames, ...rule }) => ({ ...rule, ...(resourceNames && { resourceNames }) }));

const paths: fc.Arbitrary<RightsRule> = fc.record({
  verbs: some('get', 'post', '*'),
  nonResourceURLs: some('/metrics', '/healthz', '/health*', '/*', '/apis/*', '/apis/a*'),
});

/** Generates RBAC rules, few of which allow everything. */
export const rightsRules = fc.array(
  fc.oneof({ weight: 4, arbitrary: objects }, { weight: 1, arbitrary: paths }),
  { maxLength: 4 },
);

/** Generates rules without paths, as in a Role. */
export const roleRules = fc.array(objects, { maxLength: 3 });

/** Generates requests for objects, some with names that no rule has. */
export const objectRequests: fc.Arbitrary<ObjectRight> = fc
  .record({
    verb: fc.constantFrom('get', 'list', 'create', 'update', 'delete'),
    group: fc.constantFrom('', 'apps', 'example.com', 'other.io'),
    resource: fc.constantFrom(
      'pods',
      'pods/log',
      'pods/exec',
      'deployments',
      'deployments/scale',
      'deployments/log',
      'things',
      'things/scale',
      'things/other',
    ),
    name: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  })
  .map(({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { name }) }));
