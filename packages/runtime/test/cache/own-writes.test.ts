import { expect, test } from '@jest/globals';
import { OwnWrites } from '../../cache/own-writes.ts';
import type { ObjectMeta } from '../../kinds/kind.ts';

const state = (resourceVersion: string, uid = 'one'): { metadata: ObjectMeta } => ({
  metadata: { name: 'a', uid, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
});

/** Returns the keys under which something is kept. */
const kept = (own: OwnWrites<{ metadata: ObjectMeta }>): string[] =>
  Array.from(own.entries(), ([key]) => key);

test('a write is dropped once the watch is past it, even if the watch did not report it', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('a', state('12').metadata, state('12'), undefined);
  own.recordWrite('b', state('13').metadata, undefined, undefined);
  own.recordDeletion('c', state('11'));
  own.recordDeletion('d', state('11'));
  own.reached('11', (key) => key === 'd');
  expect(kept(own)).toEqual(['a', 'b', 'd']);
  own.reached('12', (key) => key === 'd');
  expect(kept(own)).toEqual(['b', 'd']);
  own.reached('13', () => false);
  expect(kept(own)).toEqual([]);
});

test('a write with a version that is not a number is dropped once the watch reports exactly that version', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('a', state('x').metadata, state('x'), state('w'));
  own.recordWrite('b', state('y').metadata, state('y'), state('w'));
  own.put('a', state('v').metadata);
  own.reached('v', () => true);
  expect(kept(own)).toEqual(['a', 'b']);
  own.put('a', state('x').metadata);
  own.drop('b', state('w', 'two').metadata);
  expect(kept(own)).toEqual(['b']);
  own.drop('b', state('w').metadata);
  expect(kept(own)).toEqual([]);
});

test('a list shows what was written before it began, and not what was written since', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('a', state('x').metadata, state('x'), undefined);
  own.listing();
  own.recordWrite('b', state('y').metadata, state('y'), undefined);
  own.listed(() => false);
  expect(kept(own)).toEqual(['b']);
});

test('an object that was read and is gone without a watch event is returned once', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('made', state('11').metadata, state('11'), undefined);
  own.recordWrite('listed', state('12').metadata, state('12'), undefined);
  own.recordDeletion('deleted', state('13'));
  own.recordWrite('changed', state('14').metadata, undefined, state('10'));
  own.listing();
  expect(own.listed((key) => key === 'listed')).toEqual([
    { key: 'made', last: state('11') },
    { key: 'deleted', last: state('13') },
    { key: 'changed', last: state('10') },
  ]);
  expect(own.listed(() => false)).toEqual([]);
  own.recordWrite('passed', state('15').metadata, state('15'), undefined);
  expect(own.reached('15', () => false)).toEqual([{ key: 'passed', last: state('15') }]);
});

test('a late answer to an older write does not bring back what a newer write hid', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('a', state('12').metadata, undefined, state('10'));
  own.recordWrite('a', state('11').metadata, state('11'), undefined);
  expect(own.get('a')).toMatchObject({ type: 'hidden', version: '12' });
});

test('the answer to a write before a deletion does not bring back the deleted object', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordDeletion('a', state('10'));
  own.recordWrite('a', state('11').metadata, state('11'), undefined);
  expect(own.get('a')).toMatchObject({ type: 'hidden', uid: 'one' });
  const going = {
    metadata: { ...state('12').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  own.recordWrite('a', going.metadata, going, undefined);
  expect(own.get('a')).toMatchObject({ type: 'written', object: going });
  own.recordDeletion('b', state('10'));
  own.recordWrite('b', state('13', 'two').metadata, state('13', 'two'), undefined);
  expect(own.get('b')).toMatchObject({ type: 'written', object: state('13', 'two') });
});

test('a late watch event for an earlier object of the same name is not read again', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordDeletion('a', state('14', 'two'));
  own.put('a', state('12', 'one').metadata);
  expect(own.get('a')).toMatchObject({ type: 'hidden', uid: 'two' });
  own.put('a', state('16', 'three').metadata);
  expect(own.get('a')).toBeUndefined();
});

test('another object under the name of a deleted one is read, even if versions are not numbers', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordDeletion('a', state('x', 'one'));
  own.put('a', state('y', 'two').metadata);
  expect(own.get('a')).toBeUndefined();
});

test('an object that was written out of the selection and reported as deleted is not reported again', () => {
  const own = new OwnWrites<{ metadata: ObjectMeta }>();
  own.recordWrite('a', state('11').metadata, undefined, state('10'));
  own.drop('a', state('10').metadata, '11');
  expect(own.reached('11', () => false)).toEqual([]);
  own.recordWrite('a', state('14').metadata, undefined, state('13'));
  own.drop('a', state('11').metadata, '12');
  expect(own.get('a')).toMatchObject({ type: 'hidden', version: '14' });
});
