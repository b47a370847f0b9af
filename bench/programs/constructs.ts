/**
 * Renders the fleet in TypeScript: every object passes through constructs. Arguments: the size, the
 * output folder, and `deferred` or `eager` (all constructs exist before the first is rendered).
 */
import { App, declareFleet, Tenant } from '../../index.ts';
import { members, specOf } from '../fleet.ts';

const [size, outdir, mode] = process.argv.slice(2) as [string, string, string];
const app = new App({ outdir });
declareFleet(app);
for (const member of members(Number(size))) {
  if (mode === 'eager') new Tenant(app, member.name, specOf(member));
  else app.defer(member.name, (scope) => void new Tenant(scope, member.name, specOf(member)));
}
const started = performance.now();
app.synth();
console.error(`synth phase: ${(performance.now() - started) / 1000} s`);
