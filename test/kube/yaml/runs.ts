/**
 * Parameters of a fast-check run: always the same cases, unless FC_SEED says otherwise, and
 * twenty times as many of them with TENANTRY_LONG=1.
 */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
  return { seed, numRuns: process.env['TENANTRY_LONG'] === '1' ? numRuns * 20 : numRuns };
}
