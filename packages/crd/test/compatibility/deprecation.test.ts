import { expect, test } from '@jest/globals';
import { listUncheckedAspects } from '../../compatibility.ts';
import { compareVersionPriority } from '../../compatibility/version-priority.ts';
import { ofDefinitions, redis, stored, version } from './given.ts';

const deprecated = { deprecated: true };

test('removing a version that was not deprecated is breaking', () => {
  const [before, after] = [redis([version('v1beta1'), stored('v1')]), redis()];
  expect(ofDefinitions(before, after)).toEqual(['breaking version-removed v1beta1']);
});

test('a deprecated version without stored objects may be removed', () => {
  for (const name of ['v1beta1', 'v1alpha1']) {
    const before = redis([version(name, deprecated), stored('v1')]);
    expect(ofDefinitions(before, redis())).toEqual([`compatible version-removed ${name}`]);
  }
});

test('a stable version must not be removed, even if it is deprecated', () => {
  const before = redis([version('v1', deprecated), stored('v2')]);
  expect(ofDefinitions(before, redis([stored('v2')]))).toEqual(['breaking version-removed v1']);
});

test('a version with stored objects must not be removed', () => {
  const before = redis([version('v1beta1', deprecated), stored('v1')]);
  expect(ofDefinitions(before, redis(), { storedVersions: ['v1beta1', 'v1'] })).toEqual(
    ['compatible version-removed v1beta1', 'breaking stored-version v1beta1'].toSorted(),
  );
  expect(ofDefinitions(redis(), redis(), { storedVersions: ['v1alpha1', 'v1'] })).toEqual([
    'breaking stored-version v1alpha1',
  ]);
});

test('the storage version must not be removed in the release that moves the storage', () => {
  const before = redis([stored('v1beta1', deprecated), version('v1')]);
  expect(ofDefinitions(before, redis())).toEqual([
    'compatible storage-version v1 storage',
    'breaking stored-version v1beta1',
    'compatible version-removed v1beta1',
  ]);
});

test('a version that is no longer served counts as removed', () => {
  const before = (more = {}) => redis([version('v1beta1', more), stored('v1')]);
  const unserved = (more = {}) => before({ ...more, served: false });
  expect(ofDefinitions(before(), unserved())).toEqual(['breaking version-served v1beta1 served']);
  expect(ofDefinitions(before(deprecated), unserved(deprecated))).toEqual([
    'compatible version-served v1beta1 served',
  ]);
  expect(ofDefinitions(unserved(), redis())).toEqual(['compatible version-removed v1beta1']);
  expect(ofDefinitions(unserved(), before())).toEqual(['compatible version-served v1beta1 served']);
});

test('the storage may only move to a version that was served together with the old one', () => {
  const one = redis([stored('v1beta1')]);
  const both = redis([stored('v1beta1'), version('v1')]);
  const moved = redis([version('v1beta1'), stored('v1')]);
  expect(ofDefinitions(one, both)).toEqual(['compatible version-added v1']);
  expect(ofDefinitions(both, moved)).toEqual(['compatible storage-version v1 storage']);
  expect(ofDefinitions(one, moved)).toEqual([
    'compatible version-added v1',
    'breaking storage-version v1 storage',
  ]);
  const hidden = redis([version('v1beta1', { ...deprecated, served: false }), stored('v1')]);
  const before = redis([stored('v1beta1', deprecated), version('v1')]);
  expect(ofDefinitions(before, hidden)).toEqual([
    'breaking storage-version v1 storage',
    'compatible version-served v1beta1 served',
  ]);
});

test('a version may only be deprecated beside one that is as stable, served and not deprecated', () => {
  const cases = [
    ['v1', 'v2beta1', 'breaking'],
    ['v1beta1', 'v1alpha1', 'breaking'],
    ['v1', 'v2', 'compatible'],
    ['v1beta1', 'v1', 'compatible'],
    ['v1alpha1', 'v1alpha2', 'compatible'],
  ] as const;
  for (const [name, other, verdict] of cases) {
    const definition = (more = {}) => redis([version(name, more), stored(other)]);
    expect(ofDefinitions(definition(), definition(deprecated))).toEqual([
      `${verdict} deprecated ${name} deprecated`,
    ]);
  }
  expect(ofDefinitions(redis(), redis([stored('v1', deprecated)]))).toEqual([
    'breaking deprecated v1 deprecated',
  ]);
});

test('revoking a deprecation and changing its warning are compatible', () => {
  const definition = (more = {}) => redis([version('v1beta1', more), stored('v1')]);
  expect(ofDefinitions(definition(deprecated), definition())).toEqual([
    'compatible deprecated v1beta1 deprecated',
  ]);
  const warned = { ...deprecated, deprecationWarning: 'use v1' };
  expect(ofDefinitions(definition(deprecated), definition(warned))).toEqual([
    'compatible documentation v1beta1 deprecationWarning',
  ]);
});

test('versions are sorted as in Kubernetes', () => {
  const given = 'foo1 v10 v1 v11beta2 v3beta1 v12alpha1 v11alpha2 foo10 v2'.split(' ');
  expect(given.toSorted(compareVersionPriority).join(' ')).toBe(
    'v10 v2 v1 v11beta2 v3beta1 v12alpha1 v11alpha2 foo1 foo10',
  );
});

test('changes that depend on webhooks or stored versions are reported', () => {
  const conversion = { strategy: 'Webhook' } as const;
  const after = redis([version('v1beta1'), stored('v1')], { conversion });
  expect(listUncheckedAspects(redis(), after).map(({ rule }) => rule)).toEqual(['served-versions']);
  const before = redis([version('v1beta1'), stored('v1')]);
  expect(listUncheckedAspects(before, redis()).map(({ rule }) => rule)).toEqual(['stored-version']);
  expect(listUncheckedAspects(before, redis(), { storedVersions: ['v1'] })).toEqual([]);
});
