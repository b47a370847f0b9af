import { expect, test } from '@jest/globals';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { type ObservedKind, readBrief } from '../../../operator/cluster/kinds.ts';
import {
  findObservedKind,
  TenantObjects,
  type KeptLive,
} from '../../../operator/cluster/tenant-objects.ts';
import { Comparer, type TenantDrift } from '../../../operator/drift/tenant-drift.ts';
import { normalizeContent, digestContent } from '../../../operator/stored/content.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { platform } from '../given.ts';
import { objectOf, type ComparedKind } from '../stored/objects.ts';

interface Place {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Minutes after which it was created. */
  readonly at?: number;
}

/** Returns an object of the cluster. */
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

/** A cluster as the operator's caches show it, and a comparison that counts its requests. */
class Given {
  readonly asked: string[] = [];
  readonly #kept: readonly KeptLive[];
  readonly #whole: readonly Live[];
  readonly #comparer = new Comparer(platform);

  constructor(objects: readonly Live[]) {
    this.#whole = objects;
    this.#kept = objects.map((one) => ({
      ...one,
      digest: digestContent(normalizeContent(one as KubeObject)!),
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

test("an undeclared object with a tenant's label is reported in the tenant's namespaces", async () => {
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

test('an object that an app declares in addition is not undeclared', async () => {
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

test("an object with a tenant's label outside its namespaces is neither reported nor requested", async () => {
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

test("a binding with another tenant's label is undeclared in the namespace that contains it", async () => {
  const given = new Given([
    namespace('theirs', 'mallory'),
    live('RoleBinding', { namespace: 'theirs', name: 'forged', labels: labels('acme') }),
  ]);
  const declared = [declaredNamespace('theirs', 'mallory')];
  const found = await given.compare('mallory', ['theirs'], declared);
  expect(found.undeclared).toMatchObject([{ kind: 'RoleBinding', name: 'forged' }]);
  expect(found.drift).toEqual([]);
});

test('bindings that a platform controller creates in each namespace are reported only after a manual change', async () => {
  const apiGroup = 'rbac.authorization.k8s.io';
  const at = { namespace: 'shop', name: 'system:deployers' };
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'system:deployer' };
  const deployer = { kind: 'ServiceAccount', namespace: 'shop', name: 'deployer' };
  const eve = { kind: 'User', apiGroup, name: 'eve' };
  const declared = [declaredNamespace('shop', 'acme')];
  const found = async (...subjects: object[]) => {
    const made = live('RoleBinding', at, { roleRef, subjects });
    const given = new Given([namespace('shop', 'acme'), { ...made, ...readBrief(made as never) }]);
    return (await given.compare('acme', ['shop'], declared)).undeclared.map(({ name }) => name);
  };
  expect(await found(deployer)).toEqual([]);
  expect(await found(deployer, eve)).toEqual(['system:deployers']);
});

test('declared objects in a namespace that lost its label are still compared', async () => {
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

test('all of many undeclared objects are counted, the oldest are listed, and only those are requested', async () => {
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

test('nothing is requested without drift, and each state with drift is requested once', async () => {
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

test('a kind that only occurs among resources is counted, and not confused with a cached kind', async () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'shop' },
  };
  expect(findObservedKind(configMap)).toBeUndefined();
  const found = await new Given([]).compare('acme', ['shop'], [configMap]);
  expect(found).toMatchObject({
    drift: [],
    notCompared: [{ kind: 'ConfigMap', objects: 1, reason: 'NotNamed' }],
  });
});

/** Returns a live Namespace of acme with these keys, last written by this field manager. */
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

test('an undeclared deciding key is reported with its value, field manager and time', async () => {
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

test('a declared key is not reported, whatever it decides', async () => {
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

test('a possible credential in the value of a key is not reported', async () => {
  const declared = declaredNamespace('shop', 'acme');
  const one = live('Namespace', { name: 'shop', labels: labels('acme') });
  const annotations = { 'downscaler/token': 'hvs.CAESIJ0123456789' };
  const given = new Given([{ ...one, metadata: { ...one.metadata, annotations } }]);
  const { undeclared } = await given.compare('acme', ['shop'], [declared]);
  expect(undeclared).toMatchObject([{ live: '"(hidden)"' }]);
});

test('neither many keys nor many objects displace the others from the first twenty', async () => {
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
