/** `npm run check` runs all checks that run no test. */
import { runSteps, staticSteps, summarize } from './steps.ts';

process.exitCode = summarize(await runSteps(staticSteps())) ? 0 : 1;
