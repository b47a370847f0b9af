import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePackages } from '../../scripts/image-files.ts';
import { node } from '../packages/packed.ts';
import { root } from './tracked.ts';

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string }[];
}

test('the SBOM names exactly the packages in the image', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-packages-'));
  const held = writePackages({ root, target: folder });
  rmSync(folder, { recursive: true, force: true });
  const bom = JSON.parse(await node(root, 'scripts/sbom.ts')) as Bom;
  expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'tenantry']);
  const named = bom.components.map(({ name }) => `node_modules/${name}`);
  expect(named.toSorted()).toEqual(held);
  expect(held).toEqual(
    expect.arrayContaining(['node_modules/prom-client', 'node_modules/tdigest']),
  );
});
