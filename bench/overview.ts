/**
 * `npm run bench:overview` writes docs/benchmarks.md from the recorded measurements, and measures nothing. The other
 * benchmarks do the same after `-- --write`.
 */
import { writeOverview } from './overview/overview.ts';

await writeOverview();
