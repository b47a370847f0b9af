import { expect, test } from '@jest/globals';
import { LruMap } from '../../events/lru-map.ts';

test('the entry that was used longest ago is dropped, and the owner is notified', () => {
  const recent = new LruMap<string, number>(2);
  expect([recent.set('a', 1), recent.set('b', 2)]).toEqual([undefined, undefined]);
  expect(recent.get('a')).toBe(1);
  expect(recent.set('c', 3)).toBe(2);
  expect([...recent.values(), recent.size, recent.get('b')]).toEqual([1, 3, 2, undefined]);
  expect([recent.set('a', 4), recent.size]).toEqual([undefined, 2]);
  recent.delete('a');
  expect([...recent.values()]).toEqual([3]);
});
