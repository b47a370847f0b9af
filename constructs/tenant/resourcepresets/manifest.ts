import { warningAt, type Finding } from '../../../kube/finding.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { resourceContext } from '../../../crds/tenantry/resources.ts';
import { removeLeftovers } from '../leftovers.ts';
import { findPlaceholders } from '../placeholders.ts';

/** A manifest as it is rendered. */
export interface ReadManifest {
  readonly manifest: KubeObject;
  /** Warnings; the paths begin at the manifest. */
  readonly remarks: readonly Finding[];
}

const known = new WeakMap<KubeObject, ReadManifest>();

/**
 * Reads a manifest that a declaration contains literally. It removes what other tools left in it and keeps every text
 * as it is, because there are no placeholders outside of presets. The result is cached for each manifest object, which
 * must not be changed afterwards.
 */
export function readManifest(written: KubeObject): ReadManifest {
  let read = known.get(written);
  if (!read) {
    const { manifest, dropped } = removeLeftovers(written);
    read = { manifest, remarks: [...dropped, ...findLiteralPlaceholders(manifest)] };
    known.set(written, read);
  }
  return read;
}

/** Finds texts that a reader may take for placeholders. */
function findLiteralPlaceholders(manifest: KubeObject): Finding[] {
  const names: readonly string[] = resourceContext;
  return findPlaceholders(manifest)
    .filter(({ name }) => names.includes(name))
    .map(({ name, path, atKey }) => {
      const message = `must be in a preset of the class to be filled in, got {${name}}, which stays as it is`;
      return { ...warningAt(path, message, 'literal-placeholder'), ...(atKey && { atKey }) };
    });
}
