import type { CustomResourceDefinitionManifest } from '../custom-resource-definition.ts';
import type { CompareOptions } from './definitions.ts';

/** Something that decides, and that two definitions do not show. */
export interface UncheckedAspect {
  readonly rule: string;
  /** What was not checked, and who can check it. */
  readonly message: string;
}

/** Lists what a comparison of two definitions did not check although it matters. */
export function listUncheckedAspects(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  options: CompareOptions = {},
): UncheckedAspect[] {
  const found: UncheckedAspect[] = [];
  const served = after.spec.versions.filter((version) => version.served);
  if (after.spec.conversion?.strategy === 'Webhook' && served.length > 1) {
    const message =
      'whether the conversion webhook keeps everything: its work is not in the definition';
    found.push({ rule: 'served-versions', message });
  }
  const names = new Set(after.spec.versions.map(({ name }) => name));
  const gone = before.spec.versions.filter(({ name, storage }) => !storage && !names.has(name));
  if (gone.length > 0 && options.storedVersions === undefined) {
    const message = `whether objects are stored in ${gone.map(({ name }) => name).join(', ')}: status.storedVersions of OLD is not known`;
    found.push({ rule: 'stored-version', message });
  }
  return found;
}
