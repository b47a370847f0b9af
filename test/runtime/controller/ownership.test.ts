import { expect, test } from '@jest/globals';
import { controllerOf, controllerUid, ownedBy } from '../../../runtime/controller/ownership.ts';
import type { Kind, Live, ObjectMeta, OwnerReference } from '../../../runtime/kinds/kind.ts';
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

test('what is owned names its owner, which waits for it, and lies where the owner does', () => {
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

test('other owners stay, but there is one controller', () => {
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

test('an owner in a namespace cannot own what lies in another', () => {
  expect(() => ownedBy(Shop, bakery, { metadata: { name: 'oven', namespace: 'home' } })).toThrow(
    'Shop mall/bakery must own objects in its namespace, got oven in home',
  );
});

test('a change leads to its controller, in whatever version it is named, and to no other owner', () => {
  const child = (more: Partial<OwnerReference>): Live =>
    live(Shop, { namespace: 'mall', ownerReferences: [reference(more)] });
  expect(controllerOf(Shop, child({}))).toEqual({ name: 'bakery', namespace: 'mall' });
  expect(controllerOf(Shop, child({ apiVersion: 'example.com/v2' }))).toBeDefined();
  expect(controllerOf(Shop, child({ apiVersion: 'example.org/v1' }))).toBeUndefined();
  expect(controllerOf(Shop, child({ apiVersion: 'v1' }))).toBeUndefined();
  expect(controllerOf(Shop, child({ kind: 'Store' }))).toBeUndefined();
  expect(controllerOf(Shop, child({ controller: false }))).toBeUndefined();
  expect(controllerOf(Shop, live(Shop, {}))).toBeUndefined();
  expect(controllerOf(Country, child({ kind: 'Country', name: 'france' }))).toEqual({
    name: 'france',
  });
});

test('what an object controls is found by its uid, as its name may have been another one before', () => {
  const child = live(Shop, {
    ownerReferences: [reference({ uid: 'u2', controller: false }), reference({})],
  });
  expect(controllerUid(child)).toEqual(['u1']);
  const watched = live(Shop, { ownerReferences: [reference({ controller: false })] });
  expect(controllerUid(watched)).toEqual([]);
  expect(controllerUid(bakery)).toEqual([]);
});
