/** `npm run check`: everything that is checked without running a test. */
import { runSteps, staticSteps, summarize } from './steps.ts';

process.exitCode = summarize(await runSteps(staticSteps())) ? 0 : 1;
