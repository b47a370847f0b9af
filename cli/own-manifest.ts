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
export function readOwnManifest(): OwnManifest | undefined {
  // The sources are one folder below package.json, the built files two.
  for (const folder of [codeFolder, dirname(codeFolder)]) {
    try {
      const text = readFileSync(join(folder, 'package.json'), 'utf8');
      const manifest = JSON.parse(text) as OwnManifest;
      if (manifest.name === 'tenantry') return manifest;
    } catch {
      // Not there.
    }
  }
  return undefined;
}
