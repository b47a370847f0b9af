/** What `import ... from 'tenantry/testing'` gives: property tests with fast-check. */
export { arbitrary } from './arbitrary.ts';
export { arbitraryObject } from './objects.ts';
export { roundTrip, RoundTripError, type RoundTripOptions } from './roundtrip.ts';
