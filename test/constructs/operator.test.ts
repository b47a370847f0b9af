import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { OperatorAccess } from '../../constructs/operator/operatoraccess.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: object;
  };
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly object[];
}

function access(props: ConstructorParameters<typeof OperatorAccess>[2] = {}): Manifest[] {
  const chart = Testing.chart();
  new OperatorAccess(chart, 'operator', props);
  return Testing.synth(chart) as Manifest[];
}

const rulesOf = (kind: string): readonly Rule[] =>
  access().find((one) => one.kind === kind)!.rules!;

test('the operator has a namespace, an account, a role in the cluster and one for its lease', () => {
  expect(
    access().map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
  ).toEqual([
    'Namespace /tenantry-system',
    'ServiceAccount tenantry-system/tenantry-operator',
    'ClusterRole /tenantry-operator',
    'ClusterRoleBinding /tenantry-operator',
    'Role tenantry-system/tenantry-operator-leader-election',
    'RoleBinding tenantry-system/tenantry-operator-leader-election',
  ]);
});

test('in the cluster it writes the status of Tenants and Events, and nothing of a tenant', () => {
  const writes = rulesOf('ClusterRole').filter(({ verbs }) =>
    verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)),
  );
  expect(writes).toEqual([
    { apiGroups: ['tenantry.dev'], resources: ['tenants/status'], verbs: ['patch', 'update'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ]);
});

test('it reads no Secret, has no wildcard, and cannot give itself more', () => {
  for (const { apiGroups, resources, verbs } of rulesOf('ClusterRole')) {
    expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
    expect(resources).not.toContain('secrets');
    for (const verb of ['bind', 'escalate', 'impersonate', 'delete']) {
      expect(verbs).not.toContain(verb);
    }
  }
});

test('leases are its own only: the rest of its writing is in its namespace', () => {
  expect(rulesOf('Role')).toEqual([
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['get', 'create', 'update'],
    },
  ]);
});

test('in another namespace everything of it is there', () => {
  const places = access({ namespace: 'ops' }).flatMap(({ metadata, subjects = [] }) => [
    metadata.namespace,
    ...subjects.map((subject) => (subject as { namespace?: string }).namespace),
  ]);
  expect(new Set(places.filter(Boolean))).toEqual(new Set(['ops']));
});

test('everything of it says that it is part of Tenantry', () => {
  for (const { metadata } of access()) {
    expect(metadata.labels).toMatchObject({
      'app.kubernetes.io/managed-by': 'tenantry',
      'app.kubernetes.io/part-of': 'tenantry',
    });
  }
});
