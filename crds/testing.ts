/** Property tests of definitions and conversions, with fast-check. */
export { arbitraryObject } from './testing/whole-objects.ts';
export { roundTrip, RoundTripError, type RoundTripOptions } from './testing/round-trip.ts';
