import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validate } from '@tenantry/crd/schema/validate';
import type { PolicyRule } from '../../crds/access.ts';
import { tenantClass, type Ceilings } from '../../crds/tenant-class.ts';
import { userFacingRoles } from '@tenantry/kube/rbac/user-facing-roles';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { collectFindings } from './given.ts';

type Ceiling = NonNullable<Ceilings['roles']>;

/** Whether a tenant may write a Role with this rule under this ceiling. */
const accepts = (rule: PolicyRule, roles?: Ceiling): boolean =>
  collectFindings({
    tenant: { access: { roles: [{ name: 'own', rules: [rule] }] } },
    ...(roles && { klass: { ceilings: { roles } } }),
  }).every((line) => line.startsWith('warning'));

/** The groups and resources in these tests. */
const world: Readonly<Record<string, readonly string[]>> = {
  '': 'pods pods/log pods/exec pods/status pods/proxy services services/status services/proxy secrets configmaps endpoints serviceaccounts/token'.split(
    ' ',
  ),
  apps: ['deployments', 'deployments/scale', 'deployments/status', 'controllerrevisions'],
  'networking.k8s.io': ['networkpolicies', 'ingresses', 'ingresses/status'],
  'rbac.authorization.k8s.io': ['roles', 'rolebindings'],
  'example.com': ['things', 'things/status', 'things/scale', 'things/connect', 'pods'],
};
const groups = Object.keys(world);
const resources = [...new Set(Object.values(world).flat())];
const verbs = ['get', 'list', 'watch', 'create', 'patch', 'deletecollection', 'use', 'approve'];

const some = (items: readonly string[], maxLength: number) =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength });

const anyRule: fc.Arbitrary<PolicyRule> = some(groups, 2).chain((apiGroups) =>
  fc.record(
    {
      apiGroups: fc.constant(apiGroups),
      resources: some(
        apiGroups.flatMap((group) => world[group]!),
        2,
      ),
      verbs: fc.oneof(some(['get', 'list'], 2), some(verbs, 2)),
      resourceNames: fc.constantFrom(['one'], ['one', 'other']),
    },
    { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
  ),
);

const anyCeiling: fc.Arbitrary<Ceiling> = fc.array(
  fc.oneof(
    fc.record({ clusterRole: fc.constantFrom('view' as const, 'edit' as const, 'admin' as const) }),
    fc.record({
      apiGroups: fc.oneof(fc.constant(['*']), some(groups, 3)),
      resources: fc.oneof(fc.constant(['*']), some([...resources, '*/scale', '*/status'], 4)),
      verbs: fc.oneof(fc.constant(['*']), fc.constant(['get', 'list', 'watch']), some(verbs, 3)),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

interface Asked {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly name: string;
}

/** All requests for these resources. */
const requests: readonly Asked[] = groups.flatMap((group) =>
  world[group]!.flatMap((resource) =>
    verbs.flatMap((verb) => ['one', 'other'].map((name) => ({ group, resource, verb, name }))),
  ),
);

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/**
 * Evaluates a rule as the RBAC documentation defines it, independently of Tenantry's code. Source:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
function grants(rule: Rule, { group, resource, verb, name }: Asked): boolean {
  const { apiGroups = [], resources = [], verbs = [], resourceNames = [] } = rule;
  const subresource = /\/(.*)$/.exec(resource)?.[1];
  return (
    (verbs.includes('*') || verbs.includes(verb)) &&
    (apiGroups.includes('*') || apiGroups.includes(group)) &&
    (resources.includes('*') ||
      resources.includes(resource) ||
      (subresource !== undefined && resources.includes(`*/${subresource}`))) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

const words: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'update', 'patch', 'delete', 'deletecollection'],
};

/** Converts a ceiling to RBAC rules: a ClusterRole becomes its rules. */
const asRules = (ceiling: Ceiling): Rule[] =>
  ceiling.flatMap((entry): Rule[] => {
    if (!entry.clusterRole) return [entry];
    const upTo = { view: /^view /, edit: /^(view|edit) /, admin: /^\w/ }[entry.clusterRole];
    return userFacingRoles
      .split('\n')
      .filter((line) => upTo.test(line))
      .map((line) => {
        const [, group, word, list] = /^\w+ (\S+) (\w+): (.*)$/.exec(line)!;
        return {
          apiGroups: [group === 'core' ? '' : group!],
          verbs: words[word!] ?? [word!],
          resources: list!.split(' '),
        };
      });
  });

/** Returns the requests that a rule allows and its ceiling, as RBAC would read it, does not. */
const beyond = (rule: PolicyRule, ceiling: Ceiling): readonly Asked[] => {
  const bounds = asRules(ceiling);
  return requests.filter(
    (request) => grants(rule, request) && !bounds.some((bound) => grants(bound, request)),
  );
};

test('an accepted rule allows nothing beyond its ceiling', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyRule, anyCeiling, (rule, ceiling) => {
      if (!accepts(rule, ceiling)) return;
      accepted += 1;
      expect(beyond(rule, ceiling)).toEqual([]);
    }),
    runs(1000),
  );
  expect(accepted).toBeGreaterThan(100);
});

test("without a ceiling, an accepted rule allows nothing beyond Kubernetes' admin", () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      if (accepts(rule)) expect(beyond(rule, [{ clusterRole: 'admin' }])).toEqual([]);
    }),
    runs(1000),
  );
});

const looksLikeReading = new Set([
  'pods/exec',
  'pods/proxy',
  'services/proxy',
  'secrets',
  'things/connect',
]);

test('a resource that acts or reveals data must be named, or allowed by a default role of Kubernetes', () => {
  fc.assert(
    fc.property(anyRule, anyCeiling, (rule, ceiling) => {
      const wanted = rule.resources.find((one) => looksLikeReading.has(one));
      const naming = ceiling.filter(
        ({ clusterRole, resources: named }) =>
          (clusterRole && clusterRole !== 'view') || named?.includes(wanted!),
      );
      if (wanted && naming.length === 0) {
        const there = groups.filter((group) => world[group]!.includes(wanted));
        expect(accepts({ ...rule, apiGroups: there, resources: [wanted] }, ceiling)).toBe(false);
      }
    }),
    runs(3000),
  );
});

test('an additional entry in a ceiling refuses nothing that was accepted', () => {
  fc.assert(
    fc.property(anyRule, anyCeiling, anyCeiling, (rule, ceiling, more) => {
      if (accepts(rule, ceiling)) expect(accepts(rule, [...more, ...ceiling])).toBe(true);
    }),
    runs(300),
  );
});

const one = (group: string, resource: string, verb: string): PolicyRule => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
});

test.each<[string, Ceiling[number], PolicyRule, boolean]>([
  [
    'a ClusterRole of Kubernetes covers what it allows',
    { clusterRole: 'edit' },
    one('', 'secrets', 'get'),
    true,
  ],
  [
    'and no more',
    { clusterRole: 'edit' },
    one('rbac.authorization.k8s.io', 'roles', 'create'),
    false,
  ],
  [
    'the subresource of all kinds by its name, where Kubernetes’ admin may',
    { apiGroups: ['*'], resources: ['*/scale'], verbs: ['*'] },
    one('apps', 'deployments/scale', 'patch'),
    true,
  ],
  [
    'and of kinds that Kubernetes does not know',
    { apiGroups: ['cert-manager.io'], resources: ['*/status'], verbs: ['*'] },
    one('cert-manager.io', 'certificates/status', 'update'),
    true,
  ],
  [
    'which status is not',
    { apiGroups: [''], resources: ['*/status'], verbs: ['*'] },
    one('', 'pods/status', 'patch'),
    false,
  ],
  [
    'but by its whole name',
    { apiGroups: [''], resources: ['pods/status'], verbs: ['*'] },
    one('', 'pods/status', 'patch'),
    true,
  ],
  [
    'all of a group that is named',
    { apiGroups: ['cert-manager.io'], resources: ['*'], verbs: ['*'] },
    one('cert-manager.io', 'certificates', 'create'),
    true,
  ],
  [
    'but no verb that is not of objects',
    { apiGroups: ['cert-manager.io'], resources: ['*'], verbs: ['*'] },
    one('cert-manager.io', 'signers', 'approve'),
    false,
  ],
  [
    'which has to be named',
    { apiGroups: ['cert-manager.io'], resources: ['*'], verbs: ['approve'] },
    one('cert-manager.io', 'signers', 'approve'),
    true,
  ],
  [
    'writing in a group that only a wildcard covers',
    { apiGroups: ['*'], resources: ['certificates'], verbs: ['*'] },
    one('cert-manager.io', 'certificates', 'create'),
    false,
  ],
  [
    'reading there',
    { apiGroups: ['*'], resources: ['certificates'], verbs: ['*'] },
    one('cert-manager.io', 'certificates', 'list'),
    true,
  ],
])('%s', (_sentence, entry, rule, covered) => {
  expect(accepts(rule, [entry])).toBe(covered);
});

test('an entry of a ceiling for roles must be valid for Kubernetes', () => {
  const wrong = (entry: object): string[] =>
    validate(tenantClass.spec, { ceilings: { roles: [entry] } }).map(({ message }) => message);
  const rule = { apiGroups: [''], resources: ['*'], verbs: ['*'] };
  const either = 'must have either a clusterRole, or apiGroups, resources and verbs';
  expect(wrong(rule)).toEqual([]);
  expect(wrong({ clusterRole: 'view' })).toEqual([]);
  expect(wrong({ ...rule, clusterRole: 'view' })).toEqual([either]);
  expect(wrong({ apiGroups: [''], resources: ['pods'] })).toEqual([either]);
  expect(wrong({ clusterRole: 'cluster-admin' })).toHaveLength(1);
  expect(wrong({ ...rule, resources: ['pods/*'] })).toHaveLength(1);
  expect(wrong({ ...rule, apiGroups: ['*.crossplane.io'] })).toHaveLength(1);
});
