/** What `import ... from 'tenantry/testing'` gives: property tests with fast-check, and what operators are held to. */
export { arbitraryValue } from './schema/arbitrary.ts';
export {
  arbitraryObject,
  roundTrip,
  RoundTripError,
  type RoundTripOptions,
} from './crds/testing.ts';
export {
  accessUse,
  type AccessUse,
  type AccessUseProps,
  type AskedAccess,
  type AuditedRequest,
  type RefusedAccess,
} from './testing/access/accessuse.ts';
