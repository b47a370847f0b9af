import { expect, test } from '@jest/globals';
import { diffContent, formatSteps } from '../../../operator/drift/difference.ts';
import { buildContent, type ComparedKind } from '../stored/objects.ts';

/** Returns the differences between two objects as `path desired -> live`. */
function describeDiff(kind: ComparedKind, desired: object, live: object): string[] {
  return diffContent(buildContent(kind, desired), buildContent(kind, live)).map((one) => {
    const [wanted, there] = [one.desired, one.live].map((value) =>
      value === undefined ? '-' : JSON.stringify(value),
    );
    return `${formatSteps(one.path)} ${wanted} -> ${there}`;
  });
}

const hard = (amounts: object) => ({ spec: { hard: amounts } });
const range = (...limits: object[]) => ({ spec: { limits } });
const subjects = (...all: object[]) => ({
  roleRef: { kind: 'Role', name: 'a' },
  subjects: all,
});
const ingress = (...rules: object[]) => ({ spec: { podSelector: {}, ingress: rules } });
const labelled = (matchLabels: object) => ({ spec: { podSelector: { matchLabels } } });

test('a changed amount is reported at its field, with both spellings', () => {
  expect(
    describeDiff('ResourceQuota', hard({ pods: 10, cpu: '1' }), hard({ pods: '20', cpu: 1 })),
  ).toEqual(['spec.hard.pods 10 -> "20"']);
});

test('additions and removals are reported with one side', () => {
  expect(
    describeDiff('ResourceQuota', hard({ pods: '1' }), hard({ 'count/jobs.batch': '7' })),
  ).toEqual(['spec.hard.pods "1" -> -', 'spec.hard["count/jobs.batch"] - -> "7"']);
});

test('a list entry is identified by its type, whatever its position', () => {
  const pod = { type: 'Pod', max: { cpu: '4' } };
  const container = { type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } };
  const more = { ...container, max: { cpu: '3' } };
  expect(describeDiff('LimitRange', range(container, pod), range(pod, more))).toEqual([
    'spec.limits[type=Container].max.cpu "2" -> "3"',
  ]);
});

test('subjects of one name are distinguished by kind and namespace', () => {
  const user = { kind: 'User', name: 'ci' };
  const group = { kind: 'Group', name: 'ci' };
  const account = (namespace: string) => ({ kind: 'ServiceAccount', namespace, name: 'ci' });
  expect(
    describeDiff('RoleBinding', subjects(user, account('a')), subjects(group, account('b'))),
  ).toEqual([
    expect.stringMatching(/^subjects\[kind=User,name=ci\] {.*} -> -$/),
    expect.stringMatching(/^subjects\[kind=ServiceAccount,namespace=a,name=ci\] {.*} -> -$/),
    expect.stringMatching(/^subjects\[kind=Group,name=ci\] - -> {.*}$/),
    expect.stringMatching(/^subjects\[kind=ServiceAccount,namespace=b,name=ci\] - -> {.*}$/),
  ]);
});

test('a rule without a name is identified by its position among the rules without an equal', () => {
  const [a, b, c] = [80, 81, 82].map((port) => ({ ports: [{ port }] }));
  expect(describeDiff('NetworkPolicy', ingress(a!, b!), ingress(c!, a!))).toEqual([
    'spec.ingress[1].ports[0].port 81 -> 82',
  ]);
  expect(describeDiff('NetworkPolicy', ingress(a!), ingress(a!, b!))).toEqual([
    'spec.ingress[1] - -> {"ports":[{"port":81,"protocol":"TCP"}]}',
  ]);
});

test('a changed value of a set is reported as removed and added', () => {
  const role = (...verbs: string[]) => ({ rules: [{ verbs, resources: ['pods'] }] });
  expect(describeDiff('Role', role('get', 'list'), role('list', '*'))).toEqual([
    'rules[0].verbs[0] "get" -> -',
    'rules[0].verbs[1] - -> "*"',
  ]);
});

test('another order is no difference, and a repeated entry is an additional one', () => {
  const rule = { verbs: ['get'] };
  expect(
    describeDiff(
      'Role',
      { rules: [rule, { verbs: ['list'] }] },
      { rules: [{ verbs: ['list'] }, rule] },
    ),
  ).toEqual([]);
  expect(describeDiff('Role', { rules: [rule] }, { rules: [rule, rule] })).toEqual([
    'rules[1] - -> {"verbs":["get"]}',
  ]);
});

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a label called %s is an ordinary label',
  (key) => {
    expect(describeDiff('NetworkPolicy', labelled({}), labelled({ [key]: 'x' }))).toEqual([
      `spec.podSelector.matchLabels - -> {"${key}":"x"}`,
    ]);
    expect(
      describeDiff('NetworkPolicy', labelled({ a: 'b' }), labelled({ a: 'b', [key]: 'x' })),
    ).toEqual([`spec.podSelector.matchLabels.${key} - -> "x"`]);
    expect(
      describeDiff('NetworkPolicy', labelled({ a: 'b', [key]: 'x' }), labelled({ a: 'b' })),
    ).toEqual([`spec.podSelector.matchLabels.${key} "x" -> -`]);
  },
);

test('an unwanted selector that selects everything is reported', () => {
  const peer = (fields: object) => ingress({ from: [fields] });
  const [pods, all] = [{ podSelector: {} }, { podSelector: {}, namespaceSelector: {} }];
  expect(describeDiff('NetworkPolicy', peer(pods), peer(all))).toEqual([
    'spec.ingress[0].from[0].namespaceSelector - -> {}',
  ]);
});

test('a field whose value changed its type is reported with that value', () => {
  const budget = (maxUnavailable: unknown) => ({ spec: { maxUnavailable } });
  expect(describeDiff('PodDisruptionBudget', budget(1), budget('50%'))).toEqual([
    'spec.maxUnavailable 1 -> "50%"',
  ]);
});

test('a path is one line that cannot be forged by the names in it', () => {
  expect(formatSteps(['subjects', { by: { kind: 'User', name: 'system:admin' } }])).toBe(
    'subjects[kind=User,name=system:admin]',
  );
  expect(formatSteps(['subjects', { by: { kind: 'User', name: 'a,name=b]' } }])).toBe(
    'subjects[kind=User,name="a,name=b]"]',
  );
  expect(formatSteps(['subjects', { by: { name: 'a\n\u202eb' } }, 'x'])).toBe(
    String.raw`subjects[name="a\n\u202eb"].x`,
  );
  expect(formatSteps(['metadata', 'labels', 'a.b/c'])).toBe('metadata.labels["a.b/c"]');
  expect(formatSteps(['spec', 'ports', 2, ''])).toBe('spec.ports[2][""]');
});
