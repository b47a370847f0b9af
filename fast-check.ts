/** What `import ... from 'tenantry/fast-check'` gives: property tests with fast-check. */
export { arbitraryValue } from './schema/arbitrary.ts';
export {
  arbitraryObject,
  roundTrip,
  RoundTripError,
  type RoundTripOptions,
} from './crds/testing.ts';
