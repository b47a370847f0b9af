import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { DelayedKeys } from '../../queue/queue-keys.ts';

const place = { priority: 0, flow: '', since: 0 };

test('keys arrive in the order of their due times, whichever were removed before', () => {
  const wish = fc.record({
    key: fc.nat(80).map(String),
    due: fc.nat(30),
    isWithdrawn: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 200, size: 'max' }), (wishes) => {
      const keys = new DelayedKeys();
      let model: { key: string; due: number }[] = [];
      for (const { key, due, isWithdrawn } of wishes) {
        const before = model.find((one) => one.key === key);
        model = model.filter((one) => one.key !== key);
        if (isWithdrawn) expect(keys.remove(key)?.due).toBe(before?.due);
        else {
          keys.add(key, place, due);
          model.push({ key, due: Math.min(due, before?.due ?? due) });
        }
        expect(keys.size).toBe(model.length);
      }
      const order: string[] = [];
      for (let next = keys.first; next; next = keys.first) {
        order.push(next.key);
        keys.remove(next.key);
      }
      expect(order).toEqual(model.toSorted((a, b) => a.due - b.due).map(({ key }) => key));
    }),
    runs(100),
  );
});
