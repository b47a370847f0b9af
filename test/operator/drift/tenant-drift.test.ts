import { expect, test } from '@jest/globals';
import { TENANT_LABEL } from '../../../kube/holder.ts';
import { identityOf } from '../../../kube/identity.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObservedKind } from '../../../operator/cluster/kinds.ts';
import {
  observedKindOf,
  TenantObjects,
  type KeptLive,
} from '../../../operator/cluster/tenant-objects.ts';
import { Comparer, type TenantDrift } from '../../../operator/drift/tenant-drift.ts';
import { briefOf } from '../../../operator/stored/brief.ts';
import { normalizeContent } from '../../../operator/stored/content.ts';
import { digestOf } from '../../../operator/stored/digest.ts';
import type { CacheView } from '../../../runtime/controller/caches.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';
import { platform } from '../given.ts';
import { objectOf, type ComparedKind } from '../stored/objects.ts';

interface Place {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Minutes of its making. */
  readonly at?: number;
}

/** An object of the cluster. */
function live(kind: ComparedKind, place: Place, fields: object = {}): Live {
  const { namespace: _, ...rest } = objectOf(kind, fields).metadata;
  const { at = 0, ...names } = place;
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
  const metadata = {
    ...rest,
    ...names,
    uid: JSON.stringify(place),
    resourceVersion: '1',
    creationTimestamp,
  };
  return { ...objectOf(kind, fields), metadata };
}

const labels = (tenant: string) => ({ [TENANT_LABEL]: tenant });
const namespace = (name: string, tenant?: string): Live =>
  live('Namespace', { name, ...(tenant !== undefined && { labels: labels(tenant) }) });

const declaredNamespace = (name: string, tenant: string): KubeObject => ({
  ...objectOf('Namespace', {}),
  metadata: { name, labels: labels(tenant) },
});

/** A cluster as the caches of the operator have it, and a comparison that counts what it asks for. */
class Given {
  readonly asked: string[] = [];
  readonly #kept: readonly KeptLive[];
  readonly #whole: readonly Live[];
  readonly #comparer = new Comparer(platform);

  constructor(objects: readonly Live[]) {
    this.#whole = objects;
    this.#kept = objects.map((one) => ({
      ...one,
      digest: digestOf(normalizeContent(one as KubeObject)!),
    }));
  }

  compare(
    tenant: string,
    namespaces: readonly string[],
    objects: readonly KubeObject[],
    appObjects: readonly string[] = [],
  ): Promise<TenantDrift> {
    const read = async ({ kind, metadata: { namespace: at, name } }: KubeObject) => {
      this.asked.push(`${kind} ${at ?? ''}/${name}`);
      return this.#whole.find(
        (one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === at,
      );
    };
    const declared = { tenant, namespaces, objects, appObjects: new Set(appObjects) };
    return this.#comparer.compare(declared, new TenantObjects(this.#cache()), read);
  }

  #cache(): CacheView<ObservedKind> {
    const of = (kind: { readonly kind: string }) =>
      this.#kept.filter((one) => one.kind === kind.kind);
    return {
      get: (kind, name) =>
        of(kind).find(
          ({ metadata }) => metadata.name === name.name && metadata.namespace === name.namespace,
        ) as never,
      list: (kind, { index } = {}) =>
        of(kind).filter((one) => !index || index.by(one as never).includes(index.is)) as never,
      isRead: () => true,
      outageOf: () => undefined,
      unreadableOf: () => [],
    };
  }
}

const names = ({ drift }: TenantDrift): string[] =>
  drift.map(({ type, kind, namespace: at = '', name }) => `${type} ${kind} ${at}/${name}`);

test('what carries a tenant’s label and nobody declared is told in its namespaces', async () => {
  const given = new Given([
    namespace('shop', 'acme'),
    live('Role', { namespace: 'shop', name: 'old', labels: labels('acme') }),
    namespace('left', 'acme'),
    live('ServiceAccount', { namespace: 'left', name: 'bot', labels: labels('acme') }),
  ]);
  const declared = [declaredNamespace('shop', 'acme')];
  expect(names(await given.compare('acme', ['shop'], declared)).toSorted()).toEqual([
    'Extra Namespace /left',
    'Extra Role shop/old',
    'Extra ServiceAccount left/bot',
  ]);
});

test('what an app declares besides is not undeclared', async () => {
  const labelled = { namespace: 'shop', labels: labels('acme') };
  const given = new Given([
    namespace('shop', 'acme'),
    live('Role', { ...labelled, name: 'by-app' }),
    live('Role', { ...labelled, name: 'by-hand' }),
  ]);
  const declared = [declaredNamespace('shop', 'acme')];
  const byApp = [identityOf(live('Role', { ...labelled, name: 'by-app' }) as KubeObject)];
  const found = await given.compare('acme', ['shop'], declared, byApp);
  expect(names(found)).toEqual(['Extra Role shop/by-hand']);
});

test('a tenant is told nothing of what carries its label where it has no namespace, and nobody is asked about it', async () => {
  const given = new Given([
    namespace('shop', 'acme'),
    namespace('theirs', 'mallory'),
    namespace('nobodys'),
    live('RoleBinding', { namespace: 'theirs', name: 'secret-project', labels: labels('acme') }),
    live('ServiceAccount', { namespace: 'nobodys', name: 'x', labels: labels('acme') }),
    live('Role', { namespace: 'unseen', name: 'x', labels: labels('acme') }),
  ]);
  const declared = [declaredNamespace('shop', 'acme')];
  const found = await given.compare('acme', ['shop'], declared);
  expect(found).toMatchObject({ drift: [], undeclared: [] });
  expect(given.asked).toEqual([]);
});

test('a binding with another tenant’s label is undeclared where it lies', async () => {
  const given = new Given([
    namespace('theirs', 'mallory'),
    live('RoleBinding', { namespace: 'theirs', name: 'forged', labels: labels('acme') }),
  ]);
  const declared = [declaredNamespace('theirs', 'mallory')];
  const found = await given.compare('mallory', ['theirs'], declared);
  expect(found.undeclared).toMatchObject([{ kind: 'RoleBinding', name: 'forged' }]);
  expect(found.drift).toEqual([]);
});

test('the bindings that a controller of the platform makes in each namespace are not reported, unless somebody changed one', async () => {
  const apiGroup = 'rbac.authorization.k8s.io';
  const at = { namespace: 'shop', name: 'system:deployers' };
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'system:deployer' };
  const deployer = { kind: 'ServiceAccount', namespace: 'shop', name: 'deployer' };
  const eve = { kind: 'User', apiGroup, name: 'eve' };
  const declared = [declaredNamespace('shop', 'acme')];
  const found = async (...subjects: object[]) => {
    const made = live('RoleBinding', at, { roleRef, subjects });
    const given = new Given([namespace('shop', 'acme'), { ...made, ...briefOf(made as never) }]);
    return (await given.compare('acme', ['shop'], declared)).undeclared.map(({ name }) => name);
  };
  expect(await found(deployer)).toEqual([]);
  expect(await found(deployer, eve)).toEqual(['system:deployers']);
});

test('what is declared in a namespace that lost its label is looked at all the same', async () => {
  const given = new Given([
    namespace('shop'),
    live('Role', { namespace: 'shop', name: 'old', labels: labels('acme') }),
  ]);
  const declared = [declaredNamespace('shop', 'acme')];
  expect(names(await given.compare('acme', ['shop'], declared))).toEqual([
    'Missing Namespace /shop',
    'Extra Role shop/old',
  ]);
});

test('of a flood all are counted, the oldest are told, and the API server is asked of no more than a status lists', async () => {
  const flood = Array.from({ length: 300 }, (_, i) => [
    live('Role', { namespace: 'shop', name: `a${i}`, labels: labels('acme'), at: 300 - i }),
    live('RoleBinding', { namespace: 'shop', name: `b${i}`, at: 300 - i }),
  ]).flat();
  const given = new Given([namespace('shop', 'acme'), ...flood]);
  const declared = [declaredNamespace('shop', 'acme')];
  const found = await given.compare('acme', ['shop'], declared);
  expect(found.drift).toHaveLength(300);
  expect(found.undeclared).toHaveLength(300);
  expect(found.drift[0]?.name).toBe('a299');
  expect(found.undeclared[0]?.name).toBe('b299');
  expect(given.asked).toHaveLength(40);
  await given.compare('acme', ['shop'], declared);
  expect(given.asked).toHaveLength(40);
});

test('nothing is asked where all is as declared, and once for each state that is not', async () => {
  const hard = (pods: string) => ({ spec: { hard: { pods } } });
  const quota = live('ResourceQuota', { namespace: 'shop', name: 'one' }, hard('20'));
  const given = new Given([namespace('shop', 'acme'), quota]);
  const whole = declaredNamespace('shop', 'acme');
  expect(
    (await given.compare('acme', ['shop'], [whole, objectOf('ResourceQuota', hard('20'))])).drift,
  ).toEqual([]);
  expect(given.asked).toEqual([]);
  for (const pods of ['10', '10', '11']) {
    const { drift } = await given.compare(
      'acme',
      ['shop'],
      [whole, objectOf('ResourceQuota', hard(pods))],
    );
    expect(drift).toMatchObject([{ field: 'spec.hard.pods', desired: `"${pods}"`, live: '"20"' }]);
  }
  expect(given.asked).toEqual(['ResourceQuota shop/one', 'ResourceQuota shop/one']);
});

test('a kind that is only among resources is counted, and no kind of the cache is mistaken for it', async () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'shop' },
  };
  expect(observedKindOf(configMap)).toBeUndefined();
  const found = await new Given([]).compare('acme', ['shop'], [configMap]);
  expect(found).toMatchObject({
    drift: [],
    notCompared: [{ kind: 'ConfigMap', objects: 1, reason: 'NotNamed' }],
  });
});

/** A live Namespace of acme with these keys, the last of whose hands was that of kubectl. */
function labelledBy(manager: string, name: string, keys: Readonly<Record<string, string>>): Live {
  const one = live('Namespace', { name, labels: { ...labels('acme'), ...keys } });
  const fields = Object.fromEntries(Object.keys(keys).map((key) => [`f:${key}`, {}]));
  const managedFields = [
    {
      manager,
      operation: 'Update',
      time: '2026-01-01T10:00:00Z',
      fieldsV1: { 'f:metadata': { 'f:labels': fields } },
    } as const,
  ];
  return { ...one, metadata: { ...one.metadata, managedFields } };
}

test('a key that nobody declared, and by which something is decided, is told with its value, hand and time', async () => {
  const given = new Given([
    labelledBy('kubectl-label', 'shop', { 'istio-injection': 'enabled', team: 'blue' }),
  ]);
  const declared = [declaredNamespace('shop', 'acme')];
  for (let look = 0; look < 2; look += 1) {
    const found = await given.compare('acme', ['shop'], declared);
    expect(found).toMatchObject({ drift: [] });
    expect(found.undeclared).toEqual([
      {
        kind: 'Namespace',
        name: 'shop',
        field: 'metadata.labels.istio-injection',
        live: '"enabled"',
        manager: 'kubectl-label',
        operation: 'Update',
        changed: '2026-01-01T10:00:00Z',
      },
    ]);
  }
  expect(given.asked).toEqual(['Namespace /shop']);
});

test('a key that is declared is nobody’s to tell, whatever it decides', async () => {
  const keys = { 'istio-injection': 'enabled' };
  const declared = declaredNamespace('shop', 'acme');
  const withKey = {
    ...declared,
    metadata: { ...declared.metadata, labels: { ...declared.metadata.labels, ...keys } },
  };
  const given = new Given([labelledBy('argocd', 'shop', keys)]);
  const found = await given.compare('acme', ['shop'], [withKey]);
  expect(found).toMatchObject({ drift: [], undeclared: [] });
  expect(given.asked).toEqual([]);
});

test('what may be a credential is not told of a key', async () => {
  const declared = declaredNamespace('shop', 'acme');
  const one = live('Namespace', { name: 'shop', labels: labels('acme') });
  const annotations = { 'downscaler/token': 'hvs.CAESIJ0123456789' };
  const given = new Given([{ ...one, metadata: { ...one.metadata, annotations } }]);
  const { undeclared } = await given.compare('acme', ['shop'], [declared]);
  expect(undeclared).toMatchObject([{ live: '"(hidden)"' }]);
});

test('neither many keys nor many objects push the others out of the first twenty', async () => {
  const keys = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`downscaler/k${String(i).padStart(2, '0')}`, 'x']),
  );
  const one = live('Namespace', { name: 'shop', labels: labels('acme') });
  const flood = Array.from({ length: 30 }, (_, i) =>
    live('RoleBinding', { namespace: 'shop', name: `b${i}`, at: i }),
  );
  const withKeys = { ...one, metadata: { ...one.metadata, annotations: keys } };
  const declared = [declaredNamespace('shop', 'acme')];
  const kindsOf = ({ undeclared }: TenantDrift) => undeclared.slice(0, 20).map(({ kind }) => kind);
  const both = await new Given([withKeys, ...flood]).compare('acme', ['shop'], declared);
  expect(both.undeclared).toHaveLength(60);
  expect(kindsOf(both).filter((kind) => kind === 'Namespace')).toHaveLength(10);
  const given = new Given([withKeys]);
  const alone = await given.compare('acme', ['shop'], declared);
  expect(alone.undeclared.slice(0, 20).every((entry) => entry.live !== undefined)).toBe(true);
  expect(given.asked).toEqual(['Namespace /shop']);
});
