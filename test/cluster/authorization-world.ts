import fc from 'fast-check';
import type { KubeObject } from '@tenantry/kube/object';
import type { RightsRule } from '@tenantry/kube/rights/rights';
import type { AuthorizationRequest } from '@tenantry/kube/authorizer/request';
import { formatAccountUser, type AccessSubject } from '@tenantry/kube/authorizer/subjects';

const RBAC = 'rbac.authorization.k8s.io';

/** Roles and bindings with random content, whose names all begin with a prefix. */
export interface World {
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
  /** Subjects that bindings name, and some that none names. */
  readonly subjects: readonly AccessSubject[];
  readonly groups: readonly string[];
}

const some = <T>(max: number, ...all: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: max });

const verbs = ['get', 'list', 'create', 'update', 'delete', 'bind', 'use'] as const;
const groups = ['', 'apps', 'example.com', RBAC] as const;
const resources = [
  'pods',
  'pods/exec',
  'secrets',
  'deployments',
  'deployments/scale',
  'widgets',
  'widgets/scale',
  'roles',
] as const;
const paths = ['/metrics', '/healthz', '/healthz/etcd', '/apis', '/', '/logs/a'] as const;

const rarely = <T>(arbitrary: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: other }, { weight: 1, arbitrary });

const objectRule: fc.Arbitrary<RightsRule> = fc
  .record({
    verbs: rarely(fc.constant<string[]>(['*']), some<string>(3, ...verbs)),
    apiGroups: rarely(fc.constant<string[]>(['*']), some<string>(2, ...groups)),
    resources: rarely(some<string>(2, '*', '*/scale', '*/exec'), some<string>(3, ...resources)),
    resourceNames: fc.option(some<string>(2, 'a', 'b', ''), { nil: undefined, freq: 2 }),
  })
  .map(({ resourceNames, ...rule }) => ({ ...rule, ...(resourceNames && { resourceNames }) }));

const pathRule: fc.Arbitrary<RightsRule> = fc.record({
  verbs: some<string>(2, 'get', 'post', '*'),
  nonResourceURLs: some<string>(2, '*', '/metrics', '/health*', '/healthz/*', '/', '/apis**'),
});

const roleRules = fc.array(objectRule, { minLength: 1, maxLength: 4 });
const clusterRoleRules = fc.array(
  fc.oneof({ weight: 5, arbitrary: objectRule }, { weight: 1, arbitrary: pathRule }),
  { minLength: 1, maxLength: 4 },
);

/** The number of RoleBindings of a namespace. */
const BINDINGS = 6;

const TIERS = ['one', 'two'] as const;
const LABEL = 'test.example.com/tier';

/** Generates a world. */
export function worlds(prefix: string): fc.Arbitrary<World> {
  const name = (text: string): string => `${prefix}-${text}`;
  const namespaces = ['n1', 'n2', 'n3'].map(name);
  const own = ['team-a', 'team-b', 'team-c'].map(name);
  const accounts = namespaces.flatMap((namespace) =>
    ['ci', 'web'].map((account): AccessSubject => ({
      kind: 'ServiceAccount',
      name: account,
      namespace,
    })),
  );
  const users = ['ann', 'bob:admin', 'Eve@example.com'].map(name);
  const implied = ['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts'];
  const bound: readonly AccessSubject[] = [
    ...users.map((user) => ({ kind: 'User' as const, name: user })),
    { kind: 'User', name: formatAccountUser(namespaces[0]!, 'ci') },
    ...own.map((group) => ({ kind: 'Group' as const, name: group })),
    ...accounts,
    ...accounts,
    { kind: 'Group', name: `system:serviceaccounts:${namespaces[1]}` },
  ];
  const wide = implied.map((group) => ({ kind: 'Group' as const, name: group }));
  const clusterRoles = Array.from({ length: 10 }, (_, i) => name(`role:${i}`));
  const aggregated = ['sum-one', 'sum-any', 'sum-sums'].map(name);
  const roleNames = ['r1', 'r2'].map(name);
  const target = fc.constantFrom(
    ...clusterRoles,
    ...clusterRoles,
    ...aggregated,
    'view',
    'edit',
    'admin',
    name('missing'),
  );
  const roleRef = (kind: string) => (role: string) => ({ apiGroup: RBAC, kind, name: role });
  const clusterRef = target.map(roleRef('ClusterRole'));
  const namespacedRef = fc.oneof(
    clusterRef,
    fc.constantFrom(...roleNames, name('missing')).map(roleRef('Role')),
  );
  // The namespace of an account in a RoleBinding may be left out: it is then that of the binding.
  const subject = (one: AccessSubject, omitsNamespace: boolean): object => ({
    kind: one.kind,
    name: one.name,
    ...(one.kind !== 'ServiceAccount' && { apiGroup: RBAC }),
    ...(one.kind === 'ServiceAccount' && !omitsNamespace && { namespace: one.namespace }),
  });
  const subjects = (all: readonly AccessSubject[], isNamespaced: boolean) =>
    fc.array(
      fc
        .tuple(fc.constantFrom(...all), isNamespaced ? fc.boolean() : fc.constant(false))
        .map((given) => subject(...given)),
      { minLength: 2, maxLength: 5 },
    );
  const generated = fc.record({
    clusterRoles: fc.tuple(
      ...clusterRoles.map(() =>
        fc.record({
          rules: clusterRoleRules,
          tier: fc.option(fc.constantFrom(...TIERS), { nil: undefined }),
        }),
      ),
    ),
    extension: roleRules,
    roles: fc.tuple(...namespaces.flatMap(() => roleNames.map(() => roleRules))),
    bindings: fc.tuple(
      ...namespaces.flatMap(() =>
        Array.from({ length: BINDINGS }, () =>
          fc.record({
            roleRef: namespacedRef,
            subjects: subjects([...bound, ...bound, ...wide], true),
          }),
        ),
      ),
    ),
    clusterBindings: fc.array(
      fc.record({ roleRef: clusterRef, subjects: subjects(bound, false) }),
      { minLength: 2, maxLength: 4 },
    ),
    // Everybody gets something in the whole cluster.
    basic: pathRule,
  });
  const object = (kind: string, metadata: KubeObject['metadata'], rest: object): KubeObject => ({
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata,
    ...rest,
  });
  const sum = (text: string, selector: object) =>
    object(
      'ClusterRole',
      { name: name(text), labels: { [`${LABEL}-sum`]: prefix } },
      {
        aggregationRule: { clusterRoleSelectors: [selector] },
      },
    );
  const mine = { key: `${LABEL}-of`, operator: 'In', values: [prefix] };
  return generated.map((one) => ({
    namespaces,
    subjects: [
      ...bound,
      { kind: 'User', name: name('nobody') },
      { kind: 'User', name: 'system:anonymous' },
      { kind: 'ServiceAccount', name: 'other', namespace: namespaces[1]! },
    ],
    groups: own,
    objects: [
      ...one.clusterRoles.map(({ rules, tier }, i) =>
        object(
          'ClusterRole',
          {
            name: clusterRoles[i]!,
            labels: { [`${LABEL}-of`]: prefix, ...(tier && { [LABEL]: tier }) },
          },
          { rules },
        ),
      ),
      object(
        'ClusterRole',
        { name: name('extension'), labels: { [`${RBAC}/aggregate-to-edit`]: 'true' } },
        { rules: one.extension },
      ),
      sum('sum-one', { matchLabels: { [LABEL]: 'one' }, matchExpressions: [mine] }),
      sum('sum-any', {
        matchExpressions: [mine, { key: LABEL, operator: 'NotIn', values: ['one', 'two'] }],
      }),
      sum('sum-sums', { matchLabels: { [`${LABEL}-sum`]: prefix } }),
      ...namespaces.flatMap((namespace, i) =>
        roleNames.map((role, j) =>
          object('Role', { name: role, namespace }, { rules: one.roles[i * roleNames.length + j] }),
        ),
      ),
      ...one.bindings.map((binding, i) =>
        object(
          'RoleBinding',
          { name: name(`b${i}`), namespace: namespaces[Math.floor(i / BINDINGS)]! },
          binding,
        ),
      ),
      ...one.clusterBindings.map((binding, i) =>
        object('ClusterRoleBinding', { name: name(`c${i}`) }, binding),
      ),
      object('ClusterRole', { name: name('basic') }, { rules: [one.basic] }),
      object(
        'ClusterRoleBinding',
        { name: name('basic') },
        {
          roleRef: roleRef('ClusterRole')(name('basic')),
          subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:unauthenticated' }],
        },
      ),
    ],
  }));
}

/** A question: a subject, its further groups, and what it requests. */
export interface Question {
  readonly subject: AccessSubject;
  readonly groups: readonly string[];
  readonly request: AuthorizationRequest;
}

/** Generates questions about a world. */
export function questions({ subjects, groups: own, namespaces }: World): fc.Arbitrary<Question> {
  const anyOf = (...all: readonly string[]) => fc.constantFrom(...all);
  const objectRequest = fc
    .record({
      verb: anyOf('get', 'list', ...verbs, ...verbs, '*', 'impersonate'),
      group: anyOf(...groups, ...groups, '*', 'other.example.com'),
      resource: anyOf(
        ...resources,
        ...resources,
        '*',
        '*/scale',
        'nodes',
        'services/exec',
        'selfsubjectaccessreviews',
        'services/scale/more',
      ),
      name: fc.option(anyOf('a', 'b', 'c'), { nil: undefined, freq: 2 }),
      namespace: fc.option(anyOf(...namespaces), { nil: undefined, freq: 6 }),
    })
    .map(({ name, namespace, ...rest }): AuthorizationRequest => ({
      ...rest,
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
    }));
  const pathRequest: fc.Arbitrary<AuthorizationRequest> = fc.record({
    verb: anyOf('get', 'post', '*'),
    path: anyOf(...paths, '/version', '/nothing'),
  });
  return fc.record({
    subject: fc.constantFrom(...subjects),
    groups: fc.subarray([...own]),
    request: fc.oneof(
      { weight: 6, arbitrary: objectRequest },
      { weight: 1, arbitrary: pathRequest },
    ),
  });
}
