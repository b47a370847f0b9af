import { expect, test } from '@jest/globals';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Ledger } from './ledger.ts';
import type { Shop } from './shops.ts';

const shop = (uid: string, resourceVersion: string, deletionTimestamp?: string): Shop => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `shop-${uid}`,
    namespace: 'n',
    uid,
    resourceVersion,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  },
});

test('a change is missing until a reconcile has read it or a later state', async () => {
  const clock = new VirtualClock();
  const ledger = new Ledger(clock);
  for (const version of ['9', '10', '11']) ledger.changed(shop('a', version));
  ledger.changed(shop('b', '12'));
  expect(ledger.missing).toBe(4);
  await clock.advance(70);
  ledger.reconciled(shop('a', '10'));
  expect([ledger.missing, ledger.lags]).toEqual([2, [70, 70]]);
  ledger.reconciled(shop('a', '9'));
  expect(ledger.missing).toBe(2);
  ledger.reconciled(shop('a', '40'));
  ledger.reconciled(shop('b', '12'));
  expect([ledger.missing, ledger.changes, ledger.reconciles]).toEqual([0, 4, 4]);
});

test('a deletion is missing until its clean-up, and earlier changes of the object no longer are', () => {
  const ledger = new Ledger(new VirtualClock());
  ledger.changed(shop('a', '9'));
  ledger.deleted('a');
  ledger.changed(shop('a', '10', '2026-01-01T00:00:00Z'));
  expect(ledger.missing).toBe(1);
  ledger.cleanedUp(shop('b', '11'));
  expect(ledger.missing).toBe(1);
  ledger.cleanedUp(shop('a', '10'));
  expect([ledger.missing, ledger.deletions, ledger.cleanUps]).toEqual([0, 1, 2]);
});

test('a reconcile that finishes before the writer has its answer is not missing', () => {
  const ledger = new Ledger(new VirtualClock());
  ledger.reconciled(shop('a', '9'));
  ledger.reconciled(shop('a', '7'));
  ledger.changed(shop('a', '9'));
  expect(ledger.missing).toBe(0);
  ledger.changed(shop('a', '10'));
  expect(ledger.missing).toBe(1);
  ledger.cleanedUp(shop('a', '10'));
  ledger.deleted('a');
  expect(ledger.missing).toBe(0);
});

test('an object that is deleted before it has a finalizer is not missing', () => {
  const ledger = new Ledger(new VirtualClock());
  ledger.changed(shop('a', '9'));
  ledger.changed(shop('b', '10'));
  ledger.vanished('shop-a');
  ledger.vanished('shop-c');
  expect(ledger.missing).toBe(1);
});
