import { App } from '../synth/app.ts';
import { tell } from '../synth/report.ts';
import { declareFleet } from './fleet.ts';

const app = new App();
declareFleet(app);
try {
  app.synth();
} catch (error) {
  process.exitCode = tell(error);
}
