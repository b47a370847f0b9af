import { expect, test } from '@jest/globals';
import { whyMissing } from '../../bench/peers/needs.ts';

const node = {
  program: process.execPath,
  asked: ['--version'],
  version: process.version,
  install: 'npm ci',
};

test('a peer runs with the version that the page names, and with no other', () => {
  expect(whyMissing(node)).toBeUndefined();
  expect(whyMissing({ ...node, version: 'v1.0.0' })).toBe(
    `${process.execPath} must give v1.0.0, got ${process.version}: npm ci`,
  );
});

test('a peer that is not there says how it gets there', () => {
  expect(whyMissing({ ...node, program: 'tenantry-no-such-program' })).toBe(
    'tenantry-no-such-program must be on the PATH, and is not: npm ci',
  );
});

test('a program without the package that a peer needs says what it says', () => {
  const asked = [
    '-e',
    "console.error('Traceback'); console.error('No such package: kcl'); process.exit(1)",
  ];
  expect(whyMissing({ ...node, asked })).toBe(
    `${process.execPath} must give ${process.version}, got No such package: kcl: npm ci`,
  );
});
