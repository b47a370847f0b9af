import { expect, test } from '@jest/globals';
import type { Lifecycle } from '../../crds/settings.ts';
import { objectsOf, type Given } from './given.ts';

const OPTIONS = 'argocd.argoproj.io/sync-options';
const COMPARISON = 'argocd.argoproj.io/compare-options';
const QUIET = 'IgnoreExtraneous';

interface Life {
  tenant?: Lifecycle;
  one?: Lifecycle;
  two?: Lifecycle;
  given?: Given['tenant'];
}

/** Two namespaces with every kind of object. */
const world = ({ tenant, one, two, given }: Life): Given => ({
  platform: { clusters: [{ name: 'eu1' }, { name: 'us1' }], defaultClusters: ['eu1'] },
  tenant: {
    ...(tenant && { lifecycle: tenant }),
    access: {
      admins: { users: ['alice'] },
      roles: [
        { name: 'reader', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
      ],
    },
    network: { isolation: 'SameNamespace' },
    serviceAccounts: [{ name: 'ci' }],
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'data' } } }],
    namespaces: [
      { name: 'one', ...(one && { lifecycle: one }) },
      { name: 'two', ...(two && { lifecycle: two }) },
    ],
    ...given,
  },
});

/** Returns the Argo CD options of the Namespace, of access (where it has any), and of all other objects. */
function readOf(life: Life, namespace = 'one'): Record<string, string> {
  const found: Record<string, Set<string>> = {};
  for (const { kind, metadata } of objectsOf(world(life), namespace)) {
    const what = kind === 'Namespace' ? kind : kind.startsWith('Role') ? 'access' : 'the rest';
    const values = [metadata.annotations?.[OPTIONS], metadata.annotations?.[COMPARISON]];
    (found[what] ??= new Set()).add(values.filter((word) => word !== undefined).join(' '));
  }
  return Object.fromEntries(
    Object.entries(found).map(([what, values]) => [what, [...values].join(' or ')]),
  );
}

const KEPT = `Prune=false,Delete=false ${QUIET}`;
const LIVING = { Namespace: KEPT, access: '', 'the rest': 'Delete=false' };

test.each<Lifecycle>(['Active', 'Suspended'])(
  'for a %s namespace, Argo CD prunes only access, at once, and never the Namespace',
  (one) => {
    expect(readOf({ one })).toEqual(LIVING);
    expect(readOf({ one }, 'two')).toEqual(LIVING);
  },
);

test('the remaining objects of a Retired namespace are kept when they leave Git, and no sync waits for them', () => {
  expect(readOf({ one: 'Retired' })).toEqual({
    Namespace: KEPT,
    access: KEPT,
    'the rest': KEPT,
  });
  expect(readOf({ one: 'Retired' }, 'two')).toEqual(LIVING);
});

test('for a Retired tenant, deletion of the Namespaces requires confirmation, and nothing else is deleted', () => {
  const asked = {
    Namespace: `Prune=false,Delete=confirm ${QUIET}`,
    access: KEPT,
    'the rest': KEPT,
  };
  for (const namespace of ['one', 'two']) {
    expect(readOf({ tenant: 'Retired' }, namespace)).toEqual(asked);
    expect(readOf({ one: 'Retired', two: 'Retired' }, namespace)).toEqual(asked);
  }
});

test('a namespace on another cluster is in another Application, and blocks no sync', () => {
  const namespaces: NonNullable<Given['tenant']>['namespaces'] = [
    { name: 'one', lifecycle: 'Retired' },
    { name: 'two', clusters: ['us1'] },
  ];
  expect(readOf({ given: { namespaces } })['Namespace']).toContain('Delete=confirm');
  expect(readOf({ given: { namespaces } }, 'two')).toEqual(LIVING);
});

test('an object without deletion protection is deleted with its declaration', () => {
  const given = { protection: { deletion: 'None' as const } };
  expect(readOf({ given })).toEqual({ Namespace: '', access: '', 'the rest': '' });
  expect(readOf({ given, tenant: 'Retired' })).toEqual({
    Namespace: '',
    access: '',
    'the rest': '',
  });
});
