/**
 * The app of this repository: its declarations, and the tenant operator of its platform for
 * clusters with OLM.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog } from '@tenantry/olm/constructs/catalog';
import { TenantOperatorBundle } from '../constructs/operator/tenant-operator-bundle.ts';
import { App } from '../synth/app.ts';
import { printError } from '../synth/report.ts';
import { declareFleet } from './fleet.ts';

const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };

const app = new App();
const fleet = declareFleet(app);
const bundle = new TenantOperatorBundle(app, 'operator-bundle', {
  fleet,
  version,
  provider: { name: 'Wagonlark', url: 'https://wagonlark.example.com' },
  maintainers: [{ name: 'Platform', email: 'platform@wagonlark.example.com' }],
  links: [{ name: 'Handbook', url: 'https://handbook.wagonlark.example.com/platform' }],
  suite: 'community',
});
new Catalog(app, 'catalog', {
  bundles: [bundle],
  image: 'registry.wagonlark.example.com/platform/{package}-bundle:v{version}',
});
try {
  app.synth();
} catch (error) {
  process.exitCode = printError(error);
}
