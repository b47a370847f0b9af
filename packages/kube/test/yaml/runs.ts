/**
 * Returns the parameters of a fast-check run. The cases are always the same, unless FC_SEED sets another seed. By
 * default half of `numRuns` run, because they are always the same; TENANTRY_LONG=1 runs twenty times `numRuns`.
 */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  const isLong = process.env['TENANTRY_LONG'] === '1';
  const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
  return { seed, numRuns: isLong ? numRuns * 20 : Math.ceil(numRuns / 2) };
}
