import { expect, test } from '@jest/globals';
import { describeMissing } from '../../bench/peers/required-program.ts';

const node = {
  program: process.execPath,
  versionArgs: ['--version'],
  version: process.version,
  install: 'npm ci',
};

test('a peer runs only in the version that the page names', () => {
  expect(describeMissing(node)).toBeUndefined();
  expect(describeMissing({ ...node, version: 'v1.0.0' })).toBe(
    `${process.execPath} must give v1.0.0, got ${process.version}: npm ci`,
  );
});

test('a missing peer is reported with its install command', () => {
  expect(describeMissing({ ...node, program: 'tenantry-no-such-program' })).toBe(
    'tenantry-no-such-program must be on the PATH, and is not: npm ci',
  );
});

test('a program without a required package is reported with its error output', () => {
  const versionArgs = [
    '-e',
    "console.error('Traceback'); console.error('No such package: kcl'); process.exit(1)",
  ];
  expect(describeMissing({ ...node, versionArgs })).toBe(
    `${process.execPath} must give ${process.version}, got No such package: kcl: npm ci`,
  );
});
