/** What `import ... from 'tenantry/testing'` gives: property tests with fast-check. */
export { arbitraryValue } from '../schema/arbitrary.ts';
export { arbitraryObject } from './testing/wholeobjects.ts';
export { roundTrip, RoundTripError, type RoundTripOptions } from './testing/roundtrip.ts';
