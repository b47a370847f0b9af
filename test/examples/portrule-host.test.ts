import { expect, test } from '@jest/globals';
import { planOf, statusPatchOf, type Host, type Rule } from '../../examples/portrule/host.ts';
import type { ConfigMap } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { restoredTables } from './restored-rules.ts';

const now = new Date('2026-01-01T12:00:00Z');
const meta = (name: string) => ({
  name,
  uid: `uid of ${name}`,
  resourceVersion: '1',
  generation: 3,
  creationTimestamp: '2026-01-01T10:00:00Z',
});

const node = { apiVersion: 'v1', kind: 'Node', metadata: meta('node-1') } as const;

function rule(name: string, port: number, metadata: Partial<Rule['metadata']> = {}): Rule {
  return {
    apiVersion: 'firewalld.fedoraproject.org/v1',
    kind: 'PortRule',
    metadata: { ...meta(name), ...metadata },
    spec: { name: `the ${name}`, port, host: 'node-1', isPermanent: false },
  };
}

function configMap(data: Record<string, string>, uid = node.metadata.uid): Live<typeof ConfigMap> {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid, controller: true };
  const metadata = { ...meta('node-1'), namespace: 'portrule-operator', ownerReferences: [owner] };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

const host = (parts: Partial<Host>): Host => ({
  name: 'node-1',
  node,
  rules: [],
  configMap: undefined,
  ...parts,
});

/** Returns the host after its plan was carried out. */
function rendered(given: Host): Host {
  const { create, update } = planOf(given);
  const { data } = update ?? create ?? given.configMap ?? {};
  return { ...given, configMap: data && configMap(data) };
}

const comments = ({ configMap }: Host): string[] =>
  restoredTables(configMap?.data?.['rules'] ?? '\n')
    .flatMap(({ rules }) => rules)
    .map(({ port, comment }) => `${port} ${comment}`);

/** Describes the status of each rule. */
const describeRules = (given: Host): string[] =>
  given.rules.map((rule) => {
    const { conditions: [applied] = [], configMap } = statusPatchOf(rule, given, now)?.status ?? {};
    return `${rule.metadata.name}: ${applied?.reason}, ${applied?.message}, ${configMap ?? '-'}`;
  });

test('the ports of a host are in its ConfigMap, and then nothing is left to do', () => {
  const before = host({ rules: [rule('web', 80), rule('db', 5432)] });
  expect(planOf(before).create?.metadata).toEqual({
    namespace: 'portrule-operator',
    name: 'node-1',
  });
  const after = rendered(before);
  expect(comments(after)).toEqual(['80 the web', '5432 the db']);
  expect(planOf(after)).toEqual({});
  expect(describeRules(after)).toEqual([
    'web: Rendered, the ConfigMap portrule-operator/node-1 has it, portrule-operator/node-1',
    'db: Rendered, the ConfigMap portrule-operator/node-1 has it, portrule-operator/node-1',
  ]);
});

test('a condition has the generation that was read, and is written once', () => {
  const given = rendered(host({ rules: [rule('web', 80)] }));
  const { metadata, status } = statusPatchOf(given.rules[0]!, given, now)!;
  expect(metadata).toEqual({ resourceVersion: '1' });
  expect(status.conditions).toMatchObject([
    { type: 'Applied', status: 'True', observedGeneration: 3 },
  ]);
  const { conditions } = status;
  const reportedRule = { ...given.rules[0]!, status: { conditions, configMap: status.configMap! } };
  expect(statusPatchOf(reportedRule, given, new Date())).toBeUndefined();
});

test('of rules for one port the oldest applies, and of equally old ones the first by name', () => {
  const later = { creationTimestamp: '2026-01-01T10:00:01Z' };
  const rules = [rule('a', 80, later), rule('c', 80), rule('b', 80)];
  for (const order of [rules, rules.toReversed(), [rules[1]!, rules[2]!, rules[0]!]]) {
    expect(comments(rendered(host({ rules: order })))).toEqual(['80 the b']);
  }
  expect(describeRules(rendered(host({ rules })))).toEqual([
    'a: PortTaken, b has the port 80 of node-1, -',
    'c: PortTaken, b has the port 80 of node-1, -',
    'b: Rendered, the ConfigMap portrule-operator/node-1 has it, portrule-operator/node-1',
  ]);
});

test('a rule that is being deleted no longer applies, and leaves its port to the next', () => {
  const going = { deletionTimestamp: '2026-01-01T11:00:00Z' };
  const both = host({ rules: [rule('a', 80, going), rule('b', 80)] });
  expect(comments(rendered(both))).toEqual(['80 the b']);
  const last = host({ rules: [rule('a', 80, going)], configMap: configMap({ rules: 'old' }) });
  expect(planOf(last)).toEqual({ remove: last.configMap });
});

test('a rule counts as applied when its own line is present, whatever else is missing', () => {
  const given = rendered(host({ rules: [rule('web', 80)] }));
  const more = { ...given, rules: [...given.rules, rule('db', 5432)] };
  expect(describeRules(more)).toEqual([
    expect.stringContaining('web: Rendered'),
    'db: Pending, the ConfigMap portrule-operator/node-1 does not have it yet, -',
  ]);
  const moved = { ...rule('web', 80), spec: { ...rule('web', 80).spec, isPermanent: true } };
  expect(describeRules({ ...given, rules: [moved] })).toEqual([
    expect.stringContaining('web: Pending'),
  ]);
});

test('a host without rules has no ConfigMap, and a host without a node gets none', () => {
  expect(planOf(host({}))).toEqual({});
  const left = configMap({ rules: '' });
  expect(planOf(host({ configMap: left }))).toEqual({ remove: left });
  const gone = host({ node: undefined, rules: [rule('web', 80)], configMap: left });
  expect([planOf(gone), planOf({ ...gone, configMap: undefined })]).toEqual([{}, {}]);
  expect(describeRules(gone)).toEqual(['web: NoSuchHost, there is no node node-1, -']);
});

test('manual changes of the ConfigMap are reverted, and a foreign ConfigMap is left alone', () => {
  const rules = [rule('web', 80)];
  const right = rendered(host({ rules })).configMap!;
  for (const data of [{ rules: '' }, { ...right.data, more: '' }, {}]) {
    const wrong = { ...configMap(data), metadata: { ...right.metadata, labels: { of: 'others' } } };
    const { update } = planOf(host({ rules, configMap: wrong }));
    expect(update).toEqual({ ...wrong, data: right.data });
  }
  const taken = host({ rules, configMap: configMap({ rules: '' }, 'another node') });
  expect(planOf(taken)).toEqual({});
  expect(planOf({ ...taken, rules: [] })).toEqual({});
  expect(describeRules(taken)).toEqual([
    'web: NameTaken, the ConfigMap portrule-operator/node-1 is not of the node, -',
  ]);
});
