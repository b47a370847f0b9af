import { expect, test } from '@jest/globals';
import { build } from '../../../olm/project/kustomization.ts';
import { Tree, type Built } from '../../../olm/project/tree.ts';
import type { Texts } from '../sample.ts';

const treeOf = (texts: Texts): Tree =>
  new Tree(Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));

const built = (texts: Texts): { objects: Built[]; findings: string[] } => {
  const tree = treeOf(texts);
  const objects = build('config/default', tree);
  return { objects, findings: tree.findings.map(({ file, message }) => `${file} ${message}`) };
};

const valueOf = (texts: Texts, kind: string) =>
  built(texts).objects.find(({ value }) => value['kind'] === kind)?.value;

const shop = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  annotations: { of: ns/$(SHOP), kept: $$(SHOP) }
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: $(SHOP)
        args: [--name=$(SHOP), $(COUNT), $(NODE_NAME)]
        envFrom: [{ configMapRef: { name: settings } }]
      volumes: [{ name: keys, projected: { sources: [{ secret: { name: keys } }] } }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: shop }
rules:
- { apiGroups: [''], resources: [configmaps], resourceNames: [settings, other], verbs: [get] }
- { apiGroups: [''], resources: [pods], resourceNames: [settings], verbs: [get] }
`;

const project = (manager: string, rest: Texts = {}): Texts => ({
  'config/default/kustomization.yaml': 'namePrefix: my-\nresources: [../manager]\n',
  'config/manager/kustomization.yaml': `resources: [shop.yaml]\n${manager}`,
  'config/manager/shop.yaml': shop,
  'config/manager/settings.yaml': 'level: info\n',
  ...rest,
});

const generators = `
configMapGenerator:
- name: settings
  files: [settings.yaml, again=settings.yaml]
  literals: ['quoted="a <b> & c"']
secretGenerator:
- name: keys
  literals: [password=p]
`;

// The hashes are those that kustomize 5.5 gives.
test('what is generated is called as kustomize calls it, also wherever it is named', () => {
  const texts = project(generators);
  expect(valueOf(texts, 'ConfigMap')).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'my-settings-h4h4h7btd6' },
    data: { 'settings.yaml': 'level: info\n', again: 'level: info\n', quoted: 'a <b> & c' },
  });
  expect(valueOf(texts, 'Secret')).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'my-keys-8g2kt6cc2c' },
    data: { password: 'cA==' },
    type: 'Opaque',
  });
  const said = JSON.stringify(valueOf(texts, 'Deployment'));
  expect(said).toContain('{"configMapRef":{"name":"my-settings-h4h4h7btd6"}}');
  expect(said).toContain('{"secret":{"name":"my-keys-8g2kt6cc2c"}}');
  expect(built(texts).findings).toEqual([]);
});

test('rights to what is generated are to its name, and to that of nothing else', () => {
  const rules = valueOf(project(generators), 'Role')?.['rules'];
  expect(rules).toMatchObject([
    { resourceNames: ['my-settings-h4h4h7btd6', 'other'] },
    { resourceNames: ['settings'] },
  ]);
});

test('a name stays without a hash where a kustomization says so', () => {
  const texts = project(
    `generatorOptions: { disableNameSuffixHash: true, labels: { a: b } }
configMapGenerator:
- { name: settings, envs: [settings.env] }`,
    { 'config/manager/settings.env': '# levels\nA=1\n\nB=x=y\n' },
  );
  expect(valueOf(texts, 'ConfigMap')).toMatchObject({
    metadata: { name: 'my-settings', labels: { a: 'b' } },
    data: { A: '1', B: 'x=y' },
  });
});

test('what is generated may be laid over what there is, by its first name', () => {
  const over = (behavior: string): Texts => ({
    ...project('configMapGenerator: [{ name: settings, literals: [a=1, b=1] }]'),
    'config/default/kustomization.yaml': `namePrefix: my-
resources: [../manager]
configMapGenerator: [{ name: settings, behavior: ${behavior}, literals: [b=2] }]
`,
  });
  expect(valueOf(over('merge'), 'ConfigMap')?.['data']).toEqual({ a: '1', b: '2' });
  expect(valueOf(over('replace'), 'ConfigMap')?.['data']).toEqual({ b: '2' });
});

test.each([
  ['files: [none.yaml]', 'config/manager/none.yaml must be a file of the project, got none'],
  ['literals: [alone]', 'alone of a generator must be a key and a value'],
  ['envs: [alone.env]', 'HOME is of the environment'],
  ['behavior: merge', 'must merge a ConfigMap that there is, got none of that name'],
])('a generator with %s is told', (line, expected) => {
  const texts = project(`configMapGenerator:\n- name: one\n  ${line}\n`, {
    'config/manager/alone.env': 'HOME\n',
  });
  expect(built(texts).findings.join('\n')).toContain(expected);
});

const vars = (more = ''): Texts => ({
  ...project(`configurations: [where.yaml]
vars:
- { name: SHOP, objref: { kind: Deployment, apiVersion: apps/v1, name: shop } }
- name: COUNT
  objref: { kind: Deployment, group: apps, version: v1, name: shop }
  fieldref: { fieldpath: spec.replicas }
${more}`),
  'config/manager/where.yaml': 'varReference: [{ kind: Role, path: rules/resourceNames }]\n',
});

test('a var is a field as it is when all is built, where kustomize replaces vars and nowhere else', () => {
  expect(valueOf(vars(), 'Deployment')).toMatchObject({
    metadata: { annotations: { of: 'ns/my-shop', kept: '$(SHOP)' } },
    spec: {
      template: {
        spec: { containers: [{ name: '$(SHOP)', args: ['--name=my-shop', 2, '$(NODE_NAME)'] }] },
      },
    },
  });
});

test('a var is replaced where a configuration of kustomize says so', () => {
  const texts = {
    ...vars(),
    'config/manager/shop.yaml': shop.replace('settings, other', '$(SHOP), other'),
  };
  expect(valueOf(texts, 'Role')?.['rules']).toMatchObject([
    { resourceNames: ['my-shop', 'other'] },
    { resourceNames: ['settings'] },
  ]);
});

test('a var that names nothing is told', () => {
  const { findings } = built(vars('- { name: GONE, objref: { kind: Service, name: shop } }'));
  expect(findings).toEqual([
    'config/manager/kustomization.yaml is not carried over: the var GONE names no field of an object',
  ]);
});

test.each([
  ['my-shop|shop', '5'],
  [String.raw`sh\w+`, '5'],
  ['s.op', '5'],
  [String.raw`s\.op`, '2'],
  ['sho', '2'],
])('the target %s of a patch is a pattern of the whole name', (name, expected) => {
  const texts = project(`patches:
- target: { kind: Deployment, name: '${name}' }
  patch: '[{ op: replace, path: /spec/replicas, value: 5 }]'
`);
  expect(valueOf(texts, 'Deployment')).toHaveProperty('spec.replicas', Number(expected));
});

test('a component changes the objects of who names it, and adds its own', () => {
  const texts = project('components: [../more]\n', {
    'config/more/kustomization.yaml': `kind: Component
resources: [more.yaml]
patches:
- target: { kind: Deployment }
  patch: '[{ op: replace, path: /spec/replicas, value: 7 }]'
`,
    'config/more/more.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: more }\n',
  });
  expect(valueOf(texts, 'Deployment')).toHaveProperty('spec.replicas', 7);
  expect(valueOf(texts, 'Service')).toHaveProperty('metadata.name', 'my-more');
  expect(built(texts).findings).toEqual([]);
});

test('a field that a patch replaces need not be there, an item of a list must', () => {
  const patched = (path: string): Texts =>
    project(`patches:
- target: { kind: Deployment }
  patch: '[{ op: replace, path: ${path}, value: 7 }]'
`);
  expect(valueOf(patched('/spec/minReadySeconds'), 'Deployment')).toHaveProperty(
    'spec.minReadySeconds',
    7,
  );
  expect(built(patched('/spec/template/spec/containers/3')).findings).toEqual([
    "config/manager/kustomization.yaml is not carried over: a patch must be the place of an item, got '3'",
  ]);
});
