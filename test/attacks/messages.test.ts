import { describe, expect, test } from '@jest/globals';
import { readDeclarations, type DeclaredOf } from '../../crds/declarations.ts';
import { formatProblem } from '@tenantry/kube/problem';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { configMap, tenant } from '../apps/fleet.ts';

const fleet = new Fleet(resolvePlatform({ metadataKeys: { team: 'x.example.com/team' } }));
fleet.classes.add({
  name: 'default',
  spec: {
    ceilings: {
      quota: { pods: 5 },
      limits: { cpu: 1 },
      network: { ingressFrom: { cidrs: ['10.0.0.0/8'] } },
      roles: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
    allow: { clusterRoles: ['some'], clusters: ['in-cluster'] },
  },
});

/** Returns the messages about the Tenants in a text. */
function collectMessages(text: string, files: Readonly<Record<string, string>> = {}): string[] {
  const { declared, problems } = readDeclarations('a.yaml', text, [tenantKind], (path) => {
    const text = files[path];
    if (text === undefined) throw new Error('there is no such file');
    return { file: path, text };
  });
  return [...problems, ...declared.flatMap(findingsOf)].map(formatProblem);
}

function findingsOf(one: DeclaredOf<typeof tenantKind>) {
  const { findings } = fleet.desired(one);
  return findings.map(one.problem);
}

const selector = { matchExpressions: [{ key: 'k', operator: 'Exists', values: ['v'] }] };
const spec = {
  className: 'default',
  environment: 'prod',
  namespacePrefix: 'p-',
  clusters: ['in-cluster'],
  labels: { key: 'value' },
  annotations: { key: 'value' },
  contact: { team: 'value' },
  quota: { preset: 'p', hard: { pods: '3', key: '1' }, total: { key: '7' } },
  limits: { items: [{ type: 'Container', min: { cpu: '2', key: '1' }, max: { cpu: '1' } }] },
  access: {
    admins: { users: ['u'], groups: ['g'], bindingName: 'b' },
    clusterRoles: [{ name: 'some', serviceAccounts: [{ name: 's', namespace: 'n' }] }],
    roles: [
      { name: 'r', users: ['u'], rules: [{ apiGroups: ['apps'], resources: ['r'], verbs: ['v'] }] },
    ],
  },
  network: {
    isolation: 'SameTenant',
    allowFrom: [{ name: 'a', cidrs: ['10.0.0.0/8'], namespaces: ['n'] }],
    policies: [
      {
        name: 'p',
        spec: {
          podSelector: selector,
          ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }],
        },
      },
    ],
  },
  disruptionBudgets: [{ name: 'd', selector, minAvailable: 1 }],
  serviceAccounts: [{ name: 's' }],
  imagePullSecrets: ['s'],
  namespaces: [{ name: 'n', environment: 'e', labels: { key: 'v' } }],
  resources: [
    { file: 'resources/map.yaml' },
    {
      manifest: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'm', namespace: 'n', labels: { key: 'v' } },
      },
    },
  ],
};
const files = { 'resources/map.yaml': configMap('map') };

type Change = (value: string) => unknown;

/** Yields variants of the value, each with one changed text or field name. */
function* changed(value: unknown, change: Change): Generator<unknown> {
  if (typeof value === 'string') yield change(value);
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const other of changed(item, change)) yield value.with(i, other);
    }
    if (typeof value[0] === 'string') {
      yield Array.from(
        { length: 99 },
        (_, i) => `${String(change(value[0] as string)).slice(0, 20)}${i}`,
      );
    }
  } else if (isMapping(value)) {
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield { ...rest, [String(change(key))]: item };
      for (const other of changed(item, change)) yield { ...value, [key]: other };
    }
  }
}

const long = 'q'.repeat(300);

describe("a message shows only a short form of a user's text", () => {
  test.each<[string, Change]>([
    ['a word', () => long],
    ['a word that is a prefix', (value) => `${value}${long}`],
    ['a key with a prefix', () => `${long}/${long}`],
    ['words', () => `${long} ${long}\n${long}`],
    ['digits', () => '1'.repeat(300)],
  ])('%s', (_what, change) => {
    const words = [...changed(spec, change)].flatMap((one) => {
      const messages = collectMessages(tenant('acme', one as object), files);
      expect(messages).not.toEqual([]);
      return messages;
    });
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word) => /q{61}|1{61}/.test(word) || word.length > 1500)).toEqual([]);
  });
});

const SECRET = 'hunter2';
const keys = ['password', 'db_passwd', 'API-TOKEN', 'clientSecret', 'client_secret', 'apiKey'];
const moreKeys = ['privateKey', 'credentials', 'access_key', 'x.example.com/auth-token', 'SECRET'];

describe('a message does not show a value whose key is that of a secret', () => {
  test.each([...keys, ...moreKeys])('%s', (key) => {
    const value = ` ${SECRET} `;
    const specs: object[] = [
      { labels: { [key]: value } },
      { labels: { [key]: [SECRET] } },
      { annotations: { [key]: { [SECRET]: SECRET } } },
      { quota: { hard: { [key]: SECRET } } },
      { limits: { items: [{ type: 'Container', max: { [key]: SECRET } }] } },
      { contact: { [key]: SECRET } },
      { [key]: SECRET },
      { namespaces: [{ name: 'n', labels: { [key]: value } }] },
      {
        resources: [
          {
            manifest: {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: 'm', labels: { [key]: value }, annotations: { [key]: [SECRET] } },
            },
          },
        ],
      },
    ];
    for (const one of specs) {
      const messages = collectMessages(tenant('acme', one));
      expect(messages).not.toEqual([]);
      expect(
        messages.join('\n').replaceAll(`["${SECRET}"]`, '').replaceAll(`.${SECRET}`, ''),
      ).not.toContain(SECRET);
    }
  });

  test.each([
    `spec: {password: 0x${'f'.repeat(14)}}`,
    'spec: {credentials: {pin: 12345678901234567}}',
    'spec: {password: !!int hunter2}',
    `--- password hunter2`,
    '? {password: hunter2}\n: x',
  ])('nor a text that is no valid YAML: %s', (text) => {
    const messages = collectMessages(text);
    expect(messages).not.toEqual([]);
    expect(messages.join('\n')).not.toMatch(/hunter2|fff|12345/);
  });

  test('nor an included file', () => {
    const named = tenant('acme', { resources: [{ file: 'resources/map.yaml' }] });
    for (const text of [
      `kind: Secret\ndata: {pin: 12345678901234567}\n`,
      `kind: Secret\ndata: &a {hunter2: *a}\nstringData: {pin: !!int hunter2}\n`,
      `--- hunter2\n`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: m}\nstringData: {pin: hunter2}\n`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: m, annotations: {a: [hunter2]}}\n`,
    ]) {
      const messages = collectMessages(named, { 'resources/map.yaml': text });
      expect(messages).not.toEqual([]);
      expect(messages.join('\n')).not.toMatch(/hunter2|12345/);
    }
  });
});
