/** Tests are ES modules in TypeScript, run by Node itself; only the types are taken away. */
// oxlint-disable-next-line import/no-default-export
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  globalSetup: '<rootDir>/test/globalsetup.ts',
  globalTeardown: '<rootDir>/test/globalteardown.ts',
  modulePathIgnorePatterns: ['<rootDir>/build/'],
};
