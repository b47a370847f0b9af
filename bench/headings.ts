/** The page with all measurements, relative to the root of the repository. */
export const MEASUREMENTS = 'docs/reference/benchmarks.md';

/** The headings of `bench:synth` that the overview reads. */
export const WHOLE = 'Whole process: times as long as `tenantry synth`';
export const MEMORY = 'Memory';
export const LATER = 'The next time';

/** The sections of other programs, in their order at the end of the page. */
export const SECTIONS = [
  'Validating custom resources',
  'Importing definitions',
  'Plans of a large fleet',
  'Importing namespaces',
  'Importing from a cluster',
  'Validating bundles',
  'Operators beside controller-runtime',
  'The tenant operator beside dry runs',
  'The tenant operator and large annotations',
  'Tenants synced by Argo CD',
] as const;
export type Section = (typeof SECTIONS)[number];
