/** Tests are ES modules in TypeScript, run by Node itself; only the types are taken away. */
// oxlint-disable-next-line import/no-default-export
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  // In ms. Only what hangs takes so long: a machine that does other things too may be slow.
  testTimeout: 900_000,
  // And only a worker in which a test has left something: one that is slow to end has left nothing.
  workerGracefulExitTimeout: 30_000,
  // Each file leaves modules behind. Without a limit, a worker grows to 2.4 GB in a run of all tests.
  workerIdleMemoryLimit: '500MB',
  modulePathIgnorePatterns: ['<rootDir>/build/'],
};
