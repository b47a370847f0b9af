import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_RIGHTS,
  Rights,
  type ObjectRight,
  type PathRight,
  type RightsRule,
} from '../../rights/rights.ts';
import { groupRights } from '../../rights/groups.ts';
import { runs } from '../yaml/runs.ts';
import { objectRequests, rightsRules, roleRules } from './arbitrary-rules.ts';

/** Evaluates a request against rules as RBAC documents it; requests contain no stars. */
function allows(rules: readonly RightsRule[], { verb, group, resource, name = '' }: ObjectRight) {
  const subresource = resource.split('/')[1];
  return rules.some(({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }) => {
    const isResource = resources.some(
      (one) => one === '*' || one === resource || (subresource && one === `*/${subresource}`),
    );
    return (
      (verbs.includes(verb) || verbs.includes('*')) &&
      (apiGroups.includes(group) || apiGroups.includes('*')) &&
      isResource &&
      (resourceNames.length === 0 || resourceNames.includes(name))
    );
  });
}

const asRequest = ({ name = '', ...rest }: ObjectRight): ObjectRight => ({ ...rest, name });

test('a request is covered if a rule of RBAC allows it', () => {
  fc.assert(
    fc.property(rightsRules, objectRequests, (rules, request) => {
      expect(new Rights(rules).coversObject(asRequest(request))).toBe(allows(rules, request));
    }),
    runs(2000),
  );
});

/** Replaces a star by something that no rule names. */
const fresh = (right: ObjectRight): ObjectRight => ({
  verb: right.verb === '*' ? 'unheard' : right.verb,
  group: right.group === '*' ? 'unheard.io' : right.group,
  resource: right.resource === '*' ? 'unheard/of' : right.resource.replace('*', 'unheard'),
  name: right.name ?? 'unheard',
});

test('a right is covered if no request that it allows is refused', () => {
  fc.assert(
    fc.property(
      roleRules,
      roleRules,
      fc.array(objectRequests, { maxLength: 30 }),
      (a, b, asked) => {
        const [mine, others] = [new Rights(a), new Rights(b)];
        for (const right of mine.objects()) {
          const isCovered = others.coversObject(right);
          expect(allows(a, fresh(right))).toBe(true);
          expect(allows(b, fresh(right))).toBe(isCovered);
          const own = new Rights([ruleOf(right)]);
          const refused = asked.filter(
            (one) => own.coversObject(asRequest(one)) && !allows(b, one),
          );
          if (isCovered) expect(refused).toEqual([]);
        }
      },
    ),
    runs(500),
  );
});

const ruleOf = ({ verb, group, resource, name }: ObjectRight): RightsRule => ({
  verbs: [verb],
  apiGroups: [group],
  resources: [resource],
  ...(name !== undefined && { resourceNames: [name] }),
});

test('groups of rights allow what the rights allow', () => {
  fc.assert(
    fc.property(roleRules, (rules) => {
      const rights = new Rights(rules);
      const scoped = rights.objects().map((right) => ({ ...right, scope: 'own' as const }));
      const again = new Rights(
        groupRights(scoped).map(({ group, resources, verbs, names }) => ({
          verbs,
          apiGroups: [group],
          resources,
          ...(names && { resourceNames: names }),
        })),
      );
      expect(rights.objects().filter((right) => !again.coversObject(right))).toEqual([]);
      expect(again.objects().filter((right) => !rights.coversObject(right))).toEqual([]);
    }),
    runs(500),
  );
});

test.each<[string, string, boolean]>([
  ['/metrics', '/metrics', true],
  ['/*', '/metrics', true],
  ['*', '/metrics', true],
  ['/met*', '/metrics', true],
  ['/metrics', '/metrics/', false],
  ['/metrics', '/met*', false],
  ['/met*', '/metrics*', true],
  ['/metrics*', '/met*', false],
  ['/m**', '/m*', true],
  ['/metrics', '*', false],
])('a right to %s includes one to %s: %s', (held, path, isCovered) => {
  const rights = new Rights([{ verbs: ['get'], nonResourceURLs: [held] }]);
  const right = (verb: string): PathRight => ({ verb, path });
  expect(rights.coversPath(right('get'))).toBe(isCovered);
  expect(rights.coversPath(right('post'))).toBe(false);
});

test('rules with more rights than can be compared are reported, quickly', () => {
  const many = Array.from({ length: 2000 }, (_, i) => `n${i}`);
  const rule = { verbs: many, apiGroups: many, resources: many, resourceNames: many };
  expect(new Rights([rule]).isTooMany).toBe(true);
  const most = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const names = Array.from({ length: MAX_RIGHTS }, (_, i) => `n${i}`);
  expect(new Rights([{ ...most, resourceNames: names }]).isTooMany).toBe(false);
  expect(new Rights([{ ...most, resourceNames: [...names, 'x'] }]).isTooMany).toBe(true);
});
