import { expect, test } from '@jest/globals';
import { findController, controllerUid, ownedBy } from '../../controller/ownership.ts';
import type { Kind, Live, ObjectMeta, OwnerReference } from '../../kinds/kind.ts';
import { Country, Shop } from './running.ts';

const live = (kind: Kind, metadata: Partial<ObjectMeta>): Live => ({
  apiVersion: `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { name: 'a', uid: 'u1', resourceVersion: '1', creationTimestamp: '', ...metadata },
});
const bakery = live(Shop, { name: 'bakery', namespace: 'mall' });
const france = live(Country, { name: 'france' });
const reference = (more: Partial<OwnerReference>): OwnerReference => ({
  apiVersion: 'example.com/v1',
  kind: 'Shop',
  name: 'bakery',
  uid: 'u1',
  controller: true,
  ...more,
});

test('an owned object has its owner, blocks the owner’s deletion, and is in its namespace', () => {
  const owned = ownedBy(Shop, bakery, { metadata: { name: 'oven' }, data: { heat: 'high' } });
  expect(owned).toEqual({
    metadata: {
      name: 'oven',
      namespace: 'mall',
      ownerReferences: [reference({ blockOwnerDeletion: true })],
    },
    data: { heat: 'high' },
  });
  expect(ownedBy(Country, france, { metadata: { name: 'paris' } }).metadata).toMatchObject({
    name: 'paris',
    ownerReferences: [{ kind: 'Country', name: 'france' }],
  });
  expect(ownedBy(Shop, bakery, owned)).toEqual(owned);
});

test('other owners are kept, but there is only one controller', () => {
  const other = reference({ name: 'street', uid: 'u2', controller: false });
  const metadata = { name: 'oven', ownerReferences: [other] };
  expect(ownedBy(Shop, bakery, { metadata }).metadata.ownerReferences).toEqual([
    other,
    reference({ blockOwnerDeletion: true }),
  ]);
  const taken = { name: 'oven', ownerReferences: [reference({ name: 'old', uid: 'u2' })] };
  expect(() => ownedBy(Shop, bakery, { metadata: taken })).toThrow(
    'oven must have one controller, got Shop old',
  );
});

test('a namespaced owner cannot own an object in another namespace', () => {
  expect(() => ownedBy(Shop, bakery, { metadata: { name: 'oven', namespace: 'home' } })).toThrow(
    'Shop mall/bakery must own objects in its namespace, got oven in home',
  );
});

test('a change triggers its controller, in whatever version it is named, and no other owner', () => {
  const child = (more: Partial<OwnerReference>): Live =>
    live(Shop, { namespace: 'mall', ownerReferences: [reference(more)] });
  expect(findController(Shop, child({}))).toEqual({ name: 'bakery', namespace: 'mall' });
  expect(findController(Shop, child({ apiVersion: 'example.com/v2' }))).toBeDefined();
  expect(findController(Shop, child({ apiVersion: 'example.org/v1' }))).toBeUndefined();
  expect(findController(Shop, child({ apiVersion: 'v1' }))).toBeUndefined();
  expect(findController(Shop, child({ kind: 'Store' }))).toBeUndefined();
  expect(findController(Shop, child({ controller: false }))).toBeUndefined();
  expect(findController(Shop, live(Shop, {}))).toBeUndefined();
  expect(findController(Country, child({ kind: 'Country', name: 'france' }))).toEqual({
    name: 'france',
  });
});

test('the children of an object are found by its uid, since another object may have had its name before', () => {
  const child = live(Shop, {
    ownerReferences: [reference({ uid: 'u2', controller: false }), reference({})],
  });
  expect(controllerUid(child)).toEqual(['u1']);
  const watched = live(Shop, { ownerReferences: [reference({ controller: false })] });
  expect(controllerUid(watched)).toEqual([]);
  expect(controllerUid(bakery)).toEqual([]);
});
