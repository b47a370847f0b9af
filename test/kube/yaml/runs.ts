/**
 * Parameters of a fast-check run: always the same cases, unless FC_SEED says otherwise. Half of them where nobody
 * asks for more, since they are always the same; twenty times as many as are named with TENANTRY_LONG=1.
 */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  const isLong = process.env['TENANTRY_LONG'] === '1';
  const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
  return { seed, numRuns: isLong ? numRuns * 20 : Math.ceil(numRuns / 2) };
}
