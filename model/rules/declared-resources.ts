import { validateDocument } from '@tenantry/kube/document';
import type { Path } from '@tenantry/kube/problem';
import type { ExtraResource, ResolvedNamespace } from '../layers/resolved.ts';
import { formatOrigin } from '../resource-presets/preset-objects.ts';
import type { RuleContext, SettingLocation } from './context.ts';

/** Lists what `resources` declares for a namespace, without manifests that are no objects. */
export function listNamespaceResources({ name, settings }: ResolvedNamespace): ExtraResource[] {
  return settings.resources.filter(
    ({ manifest }) =>
      !validateDocument(manifest) && [undefined, name].includes(manifest.metadata.namespace),
  );
}

/** The place of a finding about a declared object, and the end of its message. */
interface ResourceLocation {
  readonly place: SettingLocation;
  /** Names the preset that rendered the object; empty for a literal manifest. */
  readonly of: string;
}

/**
 * Locates a field of a declared object: in the manifest, at the entry that uses a preset, or at the name of the class
 * that declares the object.
 */
export function locateResource(
  context: RuleContext,
  { manifest, path, byTenant, origin }: ExtraResource,
  at: Path,
): ResourceLocation {
  const isStatedHere = byTenant || context.where('resources').by === 'class';
  const inFile = origin ? ['preset'] : at;
  return {
    place: {
      path: isStatedHere ? [...path, ...inFile] : path,
      setting: ['resources', manifest.kind, manifest.metadata.name],
      by: isStatedHere ? 'tenant' : 'elsewhere',
    },
    of: origin ? ` (${formatOrigin(origin, at)})` : '',
  };
}
