import { expect, test } from '@jest/globals';
import { type AllowedClient, restrictClient } from '../../access/restricted-client.ts';
import { allow, type Grant } from '../../access/grant.ts';
import { ApiClient } from '../../client/api-client.ts';
import type { Client } from '../../client/client.ts';
import { Transport } from '../../connection/transport.ts';
import { AccessDenied } from '../../errors/client-errors.ts';
import { Pod } from '../../kinds/core.ts';
import { type Kind, scaleOf } from '../../kinds/kind.ts';
import { configMaps, deployments, namespaces } from '../kinds/builtin.ts';

/** Returns a client whose calls fail at the credentials, and records the requests. */
function clientOf(sent: string[]): Client {
  const authorize = () => Promise.reject(new Error('sent'));
  const observed = new Transport({ server: 'https://127.0.0.1:1', authorize }, { qps: Infinity });
  const text = observed.text.bind(observed);
  const open = observed.open.bind(observed);
  observed.text = (one) => (sent.push(`${one.method} ${one.path}`), text(one));
  observed.open = (one) => (sent.push(`${one.method} ${one.path}`), open(one));
  return new ApiClient(observed);
}

/** Returns the outcome of a call: 'sent', or the grant that its access lacks. */
async function verdictOf(
  grants: readonly Grant[],
  call: (client: Client) => Promise<unknown>,
): Promise<string> {
  const sent: string[] = [];
  const error: unknown = await call(restrictClient(clientOf(sent), grants, 'shop')).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AccessDenied)) return sent.length === 1 ? 'sent' : String(error);
  expect(sent).toEqual([]);
  return error.line;
}

const name = { namespace: 'n', name: 'a' };
const object = { metadata: name };
const watched = async (client: Client, selection = {}): Promise<void> => {
  for await (const event of client.watch(configMaps, selection)) void event;
};

const verbs: [Parameters<typeof allow>[1], (client: Client) => Promise<unknown>][] = [
  ['get', (c) => c.get(configMaps, name)],
  ['list', (c) => c.list(configMaps, { namespace: 'n' })],
  ['watch', (c) => watched(c, { namespace: 'n' })],
  ['create', (c) => c.create(configMaps, object)],
  ['update', (c) => c.update(configMaps, object)],
  ['patch', (c) => c.patch(configMaps, name, {})],
  ['patch', (c) => c.apply(configMaps, object)],
  ['delete', (c) => c.delete(configMaps, name)],
  ['deletecollection', (c) => c.deleteCollection(configMaps, { namespace: 'n' })],
];

test.each(verbs)(
  '%s is sent when its verb is granted, and with no other verb',
  async (verb, call) => {
    const others = verbs.map(([other]) => other).filter((other) => other !== verb);
    expect(await verdictOf([allow(configMaps, verb)], call)).toBe('sent');
    expect(await verdictOf([allow(configMaps, verb).in('m', 'n')], call)).toBe('sent');
    expect(await verdictOf([allow(configMaps, ...others)], call)).toBe(
      `allow(ConfigMap, '${verb}')`,
    );
    expect(await verdictOf([allow(configMaps, verb).in('m')], call)).toBe(
      `allow(ConfigMap, '${verb}').in('n')`,
    );
    expect(await verdictOf([allow(deployments, verb)], call)).toBe(`allow(ConfigMap, '${verb}')`);
    expect(await verdictOf([], call)).toBe(`allow(ConfigMap, '${verb}')`);
  },
);

const one = { namespace: 'n', fieldSelector: 'metadata.name=a' };
const named = allow(configMaps, 'get', 'list', 'watch', 'update', 'patch', 'delete').named(
  'a',
  'b',
);

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['its name', (c) => c.get(configMaps, name), 'sent'],
  ['a list of its name', (c) => c.list(configMaps, one), 'sent'],
  [
    'a list of its name and more',
    (c) =>
      c.list(configMaps, { ...one, fieldSelector: 'metadata.namespace=n, metadata.name == a' }),
    'sent',
  ],
  ['a watch of its name', (c) => watched(c, one), 'sent'],
  ['its patch', (c) => c.patch(configMaps, name, {}), 'sent'],
  ['its deletion', (c) => c.delete(configMaps, name), 'sent'],
  [
    'another name',
    (c) => c.get(configMaps, { ...name, name: 'c' }),
    `allow(ConfigMap, 'get').named('c')`,
  ],
  ['a list of all', (c) => c.list(configMaps, { namespace: 'n' }), `allow(ConfigMap, 'list')`],
  [
    'a list of all but it',
    (c) => c.list(configMaps, { fieldSelector: 'metadata.name!=a' }),
    `allow(ConfigMap, 'list')`,
  ],
  [
    'a list of two names',
    (c) => c.list(configMaps, { fieldSelector: 'metadata.name=a,metadata.name=c' }),
    `allow(ConfigMap, 'list')`,
  ],
  ['what is new', (c) => c.create(configMaps, object), `allow(ConfigMap, 'create')`],
])('with a grant by name, %s is: %#', async (_, call, verdict) => {
  expect(await verdictOf([named], call)).toBe(verdict);
});

test.each([
  ['metadata.name=settings', true],
  [' metadata.name == settings ', true],
  ['metadata.namespace=n,metadata.name=settings', true],
  ['spec.metadata.name=settings', false],
  ['metadata.name=settings=x', false],
  ['metadata.name=settings!', false],
  ['metadata.name=settings x', false],
  ['metadata.name=setting', false],
  ['metadata.name=', false],
  ['metadata.name!=settings', false],
  ['metadata.name=other,metadata.name=settings', false],
])('a client that may list settings may list by %j: %s', async (fieldSelector, isAllowed) => {
  const held = [allow(configMaps, 'list').named('settings', 's')];
  const verdict = await verdictOf(held, (c) => c.list(configMaps, { fieldSelector }));
  expect(verdict === 'sent').toBe(isAllowed);
});

test('the missing grant is as narrow as all grants for the resource, and ignores those for other resources', async () => {
  const narrow = (kind: Kind) => allow(kind, 'list').named('a').in('m');
  const get = (c: Client) => c.get(deployments, name);
  const lineWith = (...grants: readonly Grant[]) => verdictOf(grants, get);
  expect(await lineWith(narrow(deployments))).toBe(`allow(Deployment, 'get').named('a').in('n')`);
  const wide = `allow(Deployment, 'get')`;
  expect(await lineWith(narrow({ ...deployments, plural: 'daemonsets' }))).toBe(wide);
  expect(await lineWith(narrow({ ...deployments, group: 'extensions' }))).toBe(wide);
  expect(await lineWith(narrow(deployments), allow(deployments, 'watch'))).toBe(wide);
});

test('a grant in a namespace does not allow a request in all namespaces', async () => {
  const grants = [allow(configMaps, 'list', 'watch').in('n')];
  expect(await verdictOf(grants, (c) => c.list(configMaps))).toBe(`allow(ConfigMap, 'list')`);
  expect(await verdictOf(grants, (c) => watched(c))).toBe(`allow(ConfigMap, 'watch')`);
});

test('a subresource needs a grant of its own, which does not cover the object', async () => {
  const status = allow(deployments, 'update', 'create').subresource('status');
  const update = (client: Client, subresource?: string): Promise<unknown> =>
    client.update(deployments, object, { subresource });
  expect(await verdictOf([status], (c) => update(c, 'status'))).toBe('sent');
  expect(await verdictOf([status], (c) => update(c, 'scale'))).toBe(
    `allow(Deployment, 'update').subresource('scale')`,
  );
  expect(await verdictOf([status], (c) => update(c))).toBe(`allow(Deployment, 'update')`);
  expect(await verdictOf([allow(deployments, 'update')], (c) => update(c, 'status'))).toBe(
    `allow(Deployment, 'update').subresource('status')`,
  );
  const create = (c: Client) => c.create(deployments, object, { subresource: 'status' });
  expect(await verdictOf([status], create)).toBe('sent');
});

test('a grant by name limits what is created under an object', async () => {
  const tokens = allow(configMaps, 'create').subresource('token').named('a');
  const create = (c: Client, name: string) =>
    c.create(configMaps, { metadata: { namespace: 'n', name } }, { subresource: 'token' });
  expect(await verdictOf([tokens], (c) => create(c, 'a'))).toBe('sent');
  expect(await verdictOf([tokens], (c) => create(c, 'b'))).toBe(
    `allow(ConfigMap, 'create').subresource('token').named('b')`,
  );
});

test('the log of a pod needs a grant of its own, which does not cover the pod', async () => {
  const logs = allow(Pod, 'get').subresource('log').named('a').in('n');
  const follow = async (c: Client) => {
    for await (const line of c.followPodLog(name)) void line;
  };
  for (const read of [(c: Client) => c.podLog(name), follow]) {
    expect(await verdictOf([logs], read)).toBe('sent');
    expect(await verdictOf([allow(Pod, 'get')], read)).toBe(`allow(Pod, 'get').subresource('log')`);
  }
  expect(await verdictOf([logs], (c) => c.get(Pod, name))).toBe(`allow(Pod, 'get')`);
  expect(await verdictOf([logs], (c) => c.podLog({ ...name, name: 'b' }))).toBe(
    `allow(Pod, 'get').subresource('log').named('b').in('n')`,
  );
});

test('rules that grant more than they name are refused', () => {
  const all = { group: '', resource: 'pods', verbs: ['get'], resourceNames: [] } as const;
  expect(() => restrictClient(clientOf([]), [all], 'shop')).toThrow('must name names');
});

test('a scale needs a grant of its own', async () => {
  const scales = scaleOf(deployments);
  const patch = (c: Client) => c.patch(scales, name, { spec: { replicas: 2 } });
  expect({ ...allow(scales, 'patch') }).toMatchObject({
    group: 'apps',
    resource: 'deployments/scale',
  });
  expect(await verdictOf([allow(scales, 'patch')], patch)).toBe('sent');
  expect(await verdictOf([allow(deployments, 'patch')], patch)).toBe(
    `allow(scaleOf(deployments), 'patch')`,
  );
});

test('the error of a refused call names the missing grant', async () => {
  const client = restrictClient(clientOf([]), [allow(namespaces, 'get')], 'namespaceplus');
  await expect(client.create(namespaces, { metadata: { name: 'a' } })).rejects.toMatchObject({
    message: `namespaceplus may not create namespaces: its access must have allow(Namespace, 'create')`,
    missing: { group: '', resource: 'namespaces', verbs: ['create'] },
  });
});

const logsOf = () => allow(Pod, 'get').subresource('log');

test('a call without a declared grant does not compile', () => {
  const grants = [
    allow(configMaps, 'get', 'patch'),
    allow(namespaces, 'list'),
    allow(deployments, 'patch').subresource('status'),
    allow(deployments, 'get'),
    allow(deployments, 'get').subresource('scale'),
  ] as const;
  type Allowed = AllowedClient<(typeof grants)[number]>;
  const compiles = (client: Allowed): unknown[] => [
    client.get(configMaps, name).then(({ data }) => data?.['a']),
    client.patch(configMaps, name, { data: { a: 'b' } }),
    client.apply(configMaps, object),
    client.list(namespaces),
    client.patch(deployments, name, {}, { subresource: 'status', dryRun: true }),
    client.get(deployments, name),
    client.get(deployments, name, { subresource: 'scale' }),
    // @ts-expect-error no delete of anything
    client.delete(configMaps, name),
    // @ts-expect-error no list of ConfigMaps
    client.list(configMaps),
    // @ts-expect-error no watch of Namespaces
    client.watch(namespaces),
    // @ts-expect-error no get of Namespaces
    client.get(namespaces, name),
    // @ts-expect-error a patch of the status alone
    client.patch(deployments, name, {}),
    // @ts-expect-error no patch of the scale
    client.patch(deployments, name, {}, { subresource: 'scale' }),
    // @ts-expect-error no get of the status
    client.get(deployments, name, { subresource: 'status' }),
    // @ts-expect-error a ConfigMap has no number in its data
    client.patch(configMaps, name, { data: { a: 1 } }),
    // @ts-expect-error no log of pods
    client.podLog(name),
    // @ts-expect-error
    client.followPodLog(name),
  ];
  type Reading = AllowedClient<ReturnType<typeof logsOf>>;
  const reads = (client: Reading): unknown[] => [
    client.podLog(name, { tailLines: 5, timeout: 1000 }),
    client.followPodLog(name),
    // @ts-expect-error the log alone
    client.get(Pod, name),
  ];
  const whole: Allowed = restrictClient(clientOf([]), grants, 'shop');
  expect([compiles, reads, whole]).toHaveLength(3);
});
