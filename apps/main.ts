import { App } from '../synth/app.ts';
import { printError } from '../synth/report.ts';
import { declareFleet } from './fleet.ts';

const app = new App();
declareFleet(app);
try {
  app.synth();
} catch (error) {
  process.exitCode = printError(error);
}
