/** Renders the same constructs in an App of stock cdk8s. Arguments: the size, the output folder. */
import { App } from 'cdk8s';
import { Fleet, resolvePlatform, Tenant, TenantClass, useFleet } from '../../index.ts';
import { members, platform, productClass, specOf } from '../fleet.ts';

const [size, outdir] = process.argv.slice(2) as [string, string];
const app = new App({ outdir });
useFleet(app, new Fleet(resolvePlatform(platform)));
new TenantClass(app, 'product', productClass);
for (const member of members(Number(size))) new Tenant(app, member.name, specOf(member));
const started = performance.now();
app.synth();
console.error(`synth phase: ${(performance.now() - started) / 1000} s`);
