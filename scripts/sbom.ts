/** `npm run -s sbom`: prints which packages the image holds, as CycloneDX; npm itself makes it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePackages } from './image-files.ts';
import { root } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-sbom-'));
try {
  // npm calls what it describes as its folder is called.
  const target = join(folder, 'tenantry');
  writePackages({ root, target });
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const isWindows = process.platform === 'win32';
  const { status } = spawnSync('npm', args, { cwd: target, stdio: 'inherit', shell: isWindows });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
