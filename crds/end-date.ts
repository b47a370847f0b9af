import { string } from '@tenantry/crd/schema/language';
import type { Schema } from '@tenantry/crd/schema/language';

const DATE = {
  format: 'date',
  must: "a date such as '2027-01-31'",
};

/** The last day of something, without a time (docs/adr/0108-access-that-ends.md). */
export const endDate = (what: string): Schema<string> => string(describe(what), DATE);

/** As `endDate`, for something that lasts without it. */
export const optionalEndDate = (what: string): Schema<string> =>
  string(describe(what), { ...DATE, absent: 'it does not end' });

function describe(what: string): string {
  return `The last day ${what}, in UTC. From the next day on, it is not rendered.`;
}
