import { omitUndefined } from '@tenantry/kube/mapping';
import type { Bundle } from '../bundle/bundle.ts';
import type { CatalogBundle } from '../catalog/catalog.ts';
import { renderBundle } from '../catalog/render/render-bundle.ts';
import { parseRange, parseOlmVersion } from '../semver/version.ts';

/** The parts of a bundle that are needed to run it. */
export interface RunnableBundle {
  readonly package: string;
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  readonly version: string;
  /** Its default channel, or its first one. */
  readonly channel: string;
  /** The install modes that it supports. */
  readonly installModes: readonly string[];
  readonly replaces: string | undefined;
  readonly skips: readonly string[];
  readonly skipRange: string | undefined;
  /** Its entry in a catalog. */
  readonly blob: CatalogBundle;
}

const PREFIX = 'operators.operatorframework.io.bundle.';

/**
 * Reads from a bundle what `bundle run` needs.
 * @param image where the bundle has been pushed to; without one, the catalog holds its objects
 * @returns in words, why it cannot be run
 */
export function runnable(bundle: Bundle, image: string | undefined): RunnableBundle | string {
  const { values } = bundle.annotations;
  const [channels = '', chosen = ''] = [
    values[`${PREFIX}channels.v1`],
    values[`${PREFIX}channel.default.v1`],
  ];
  const name = values[`${PREFIX}package.v1`] ?? '';
  const channel = chosen === '' ? (channels.split(',')[0] ?? '').trim() : chosen;
  const { metadata, spec = {} } = bundle.csv?.value ?? {};
  if (!metadata?.name) return 'must hold a ClusterServiceVersion with a name, got none';
  if (name === '' || channel === '') {
    return 'must declare its package and its channels in metadata/annotations.yaml, got neither';
  }
  const contents = image === undefined ? 'objects' : 'metadata';
  const blob = renderBundle(bundle, { image: image ?? '', package: name, contents });
  // Without an image OLM reads the objects from the catalog, since the bundle has no image to name.
  const relatedImages = (blob.relatedImages ?? []).filter((one) => one.image !== '');
  return {
    package: name,
    name: metadata.name,
    version: spec.version ?? '',
    channel,
    installModes: (spec.installModes ?? []).flatMap(({ type, supported }) =>
      supported === true && type !== undefined ? [type] : [],
    ),
    replaces: spec.replaces,
    skips: (spec.skips ?? []).filter((one) => typeof one === 'string'),
    skipRange: metadata.annotations?.['olm.skipRange'],
    blob: { ...blob, relatedImages },
  };
}

/** Whether the catalog entry of a bundle allows an upgrade from a version. */
export function canUpgradeFrom(
  bundle: RunnableBundle,
  installed: { readonly name: string; readonly version: string },
): boolean {
  const { replaces, skips, skipRange = '' } = bundle;
  if (replaces === installed.name || skips.includes(installed.name)) return true;
  const [version, range] = [parseOlmVersion(installed.version), parseRange(skipRange)];
  return version !== undefined && range?.(version) === true;
}

/** Returns the blobs of a catalog with one bundle, as lines of JSON by file name. */
export function renderCatalog(bundle: RunnableBundle, channel: string): readonly string[] {
  const { package: name, replaces, skips, skipRange, blob } = bundle;
  const entry: Readonly<Record<string, unknown>> = omitUndefined({
    name: bundle.name,
    replaces: replaces || undefined,
    skips: skips.length > 0 ? skips : undefined,
    skipRange: skipRange || undefined,
  });
  const head = [
    { schema: 'olm.package', name, defaultChannel: channel },
    { schema: 'olm.channel', name: channel, package: name, entries: [entry] },
  ];
  return [head.map((one) => JSON.stringify(one)).join('\n'), JSON.stringify(withoutImage(blob))];
}

function withoutImage(blob: CatalogBundle): object {
  const { image, ...rest } = blob;
  return image === '' ? rest : blob;
}
