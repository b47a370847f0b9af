import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeFolder } from '../synth/code-folder.cjs';

type Versions = Readonly<Record<string, string>>;

/** The package.json of the running Tenantry. */
export interface OwnManifest {
  readonly name: 'tenantry';
  readonly version: string;
  readonly engines: Versions;
  /** The exact versions with which this Tenantry was built and tested. */
  readonly devDependencies: Versions;
}

/** Reads the package.json of the running Tenantry; undefined if it was installed without one. */
export const readOwnManifest = (): OwnManifest | undefined => findOwnPackage()?.manifest;

/**
 * Reads a file of the package of the running Tenantry.
 * @throws {Error} when the package lacks it
 */
export function readOwnFile(path: string): string {
  const found = findOwnPackage();
  if (!found) throw new Error('the package.json of tenantry must be beside its code');
  return readFileSync(join(found.folder, path), 'utf8');
}

function findOwnPackage(): { folder: string; manifest: OwnManifest } | undefined {
  // The sources are one folder below package.json, the built files two.
  for (const folder of [codeFolder, dirname(codeFolder)]) {
    try {
      const text = readFileSync(join(folder, 'package.json'), 'utf8');
      const manifest = JSON.parse(text) as OwnManifest;
      if (manifest.name === 'tenantry') return { folder, manifest };
    } catch {
      // Not there.
    }
  }
  return undefined;
}
