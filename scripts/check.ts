/** `npm run check`: everything that is checked without running a test. */
import { runStep, staticSteps, summarize } from './steps.ts';

process.exitCode = summarize(staticSteps().map(runStep)) ? 0 : 1;
