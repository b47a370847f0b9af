/** Property tests of definitions and conversions, with fast-check. */
export { arbitraryObject } from './testing/arbitrary-object.ts';
export { roundTrip, RoundTripError, type RoundTripOptions } from './testing/round-trip.ts';
