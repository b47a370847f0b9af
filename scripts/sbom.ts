/** `npm run -s sbom` prints the packages of the image as CycloneDX, which npm generates. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePackages } from './image-files.ts';
import { root } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-sbom-'));
try {
  // npm names the described component after its folder.
  const target = join(folder, 'tenantry');
  writePackages({ root, target });
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const isWindows = process.platform === 'win32';
  const { status } = spawnSync('npm', args, { cwd: target, stdio: 'inherit', shell: isWindows });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
