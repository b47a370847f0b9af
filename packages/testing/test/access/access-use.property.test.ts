import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canHaveResourceNames,
  permits,
  type AccessRequest,
  type AccessRule,
} from '@tenantry/kube/access';
import { accessUse, type AuditedRequest } from '../../access/access-use.ts';
import {
  arbitraryRule,
  requestsIn,
  type AccessWorld,
} from '@tenantry/kube/test/access/arbitrary-access';
import { runs } from '@tenantry/kube/test/yaml/runs';

const world: AccessWorld = {
  groups: ['', 'apps'],
  resources: ['pods', 'pods/status'],
  verbs: ['get', 'create', 'deletecollection'],
  names: ['a', 'b'],
  namespaces: ['m', 'n'],
};
const access = fc.array(arbitraryRule(world), { maxLength: 6 });
const requests = requestsIn(world, world.names, world.namespaces).filter(
  ({ verb, resource, name }) => name === undefined || canHaveResourceNames(verb, resource),
);
const asked = fc.subarray([...requests]);
const user = 'somebody';

function entryOf({ verb, group, resource: all, name, namespace }: AccessRequest): AuditedRequest {
  const [resource = '', subresource] = all.split('/');
  const objectRef = { resource, subresource, apiGroup: group, name, namespace };
  return { verb, user: { username: user }, objectRef, responseStatus: { code: 200 } };
}

/** Returns each right separately: one verb, one name, one namespace. */
function rightsOf(rules: readonly AccessRule[]): AccessRule[] {
  return rules.flatMap(({ verbs, resourceNames = [''], namespaces = [''], ...rest }) =>
    verbs.flatMap((verb) =>
      resourceNames.flatMap((name) =>
        namespaces.map((namespace) => ({
          ...rest,
          verbs: [verb],
          ...(name && { resourceNames: [name] }),
          ...(namespace && { namespaces: [namespace] }),
        })),
      ),
    ),
  );
}

test('a right is unused if and only if no request needed it', () => {
  fc.assert(
    fc.property(access, asked, (access, asked) => {
      const { unused } = accessUse({ user, access, entries: asked.map(entryOf) });
      const never = rightsOf(access).filter((one) => !asked.some((asked) => permits([one], asked)));
      const texts = (rules: readonly AccessRule[]) => rules.map((one) => JSON.stringify(one));
      expect(texts(rightsOf(unused)).toSorted()).toEqual([...new Set(texts(never))].toSorted());
    }),
    runs(100),
  );
});

test('every request that no rule allows is reported', () => {
  fc.assert(
    fc.property(access, asked, (access, asked) => {
      const { ungranted } = accessUse({ user, access, entries: asked.map(entryOf) });
      expect(ungranted).toHaveLength(asked.filter((one) => !permits(access, one)).length);
    }),
    runs(100),
  );
});
