import { Construct } from 'constructs';
import { prefixFinding, type Finding } from '@tenantry/kube/finding';
import { formatBlobLabel, catalogFiles } from '../catalog/write-catalog.ts';
import type { Catalog as CatalogModel, CatalogDeprecations } from '../catalog/catalog.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { renderCatalog, type UpdateGraph } from '../catalog/render-catalog.ts';
import { addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { addArtifacts, validateArtifactApp, type Bundle } from './bundle.ts';

/** The contents of a catalog. */
export interface CatalogProps {
  /** Bundles of any number of operators. */
  readonly bundles: readonly Bundle[];
  /**
   * The images of the bundles. `{package}`, `{name}` (of the bundle) and `{version}` are filled in,
   * such as in `quay.io/example/{package}-bundle:v{version}`.
   */
  readonly image: string;
  /**
   * How bundles replace each other. `replaces`: as each bundle specifies. `semver`: each bundle
   * replaces the one with the next lower version in its channel.
   * @default 'replaces'
   */
  readonly updateGraph?: UpdateGraph;
  /** By package. @default - as the bundles specify, or else derived from the names of the channels */
  readonly defaultChannels?: Readonly<Record<string, string>>;
  /** The packages, channels and bundles that should no longer be used. @default - none */
  readonly deprecations?: readonly CatalogDeprecations[];
  /** The image that serves the catalog. @default - quay.io/operator-framework/opm:v1.55.0 */
  readonly base?: string;
  /** The folder of the files, relative to the output folder. @default olm/catalog */
  readonly folder?: string;
}

/**
 * A file-based catalog of bundles, from which OLM installs and upgrades operators: packages,
 * channels and their entries. The files are written to `olm/catalog/<package>/catalog.yaml` of the
 * output. A Dockerfile of the image that serves the catalog is beside the folder.
 *
 * A catalog that OLM would refuse is refused when the app is synthesized. Examples are channels
 * with several heads, which the error names, cycles, and bundles that no upgrade reaches.
 *
 * @example
 * ```ts
 * import { App } from 'tenantry';
 * import { Bundle, Catalog } from '@tenantry/olm/constructs';
 *
 * const app = new App();
 * const operator = { name: 'shops', image: 'registry.example.com/shops:1.0.0', access: [] };
 * const about = { displayName: 'Shops', channels: ['stable'], package: 'shops' };
 * const first = new Bundle(app, '1.0.0', { operator: { ...operator, version: '1.0.0' }, ...about });
 * const second = new Bundle(app, '1.1.0', {
 *   operator: { ...operator, version: '1.1.0' },
 *   ...about,
 *   replaces: first.bundleName,
 * });
 * const catalog = new Catalog(app, 'catalog', {
 *   bundles: [first, second],
 *   image: 'registry.example.com/{package}-bundle:v{version}',
 * });
 * console.log(catalog.contents.channels[0]?.entries.length); // 2
 * ```
 */
export class Catalog extends Construct {
  /** The folder of the files, relative to the output folder. */
  readonly folder: string;
  readonly #props: CatalogProps;
  #rendered: ReturnType<typeof renderCatalog> | undefined;

  constructor(scope: Construct, id: string, props: CatalogProps) {
    super(scope, id);
    this.#props = props;
    this.folder = props.folder ?? 'olm/catalog';
    addErrorValidation(this, Catalog, () => [...this.#findings(), ...validateArtifactApp(this)]);
    addArtifacts(this, () => [
      ...catalogFiles(this.contents).map(([path, text]) => ({
        path: `${this.folder}/${path}`,
        text,
      })),
      { path: `${this.folder}.Dockerfile`, text: renderDockerfile(this.folder, props.base) },
    ]);
  }

  /** The packages, channels and bundles. */
  get contents(): CatalogModel {
    return this.#all.catalog;
  }

  /** @internal */
  get bundles(): readonly Bundle[] {
    return this.#props.bundles;
  }

  /**
   * Whether the catalog or one of its bundles has errors, which are reported when the tree is
   * validated.
   * @internal
   */
  get isRefused(): boolean {
    return this.bundles.some((bundle) => bundle.isRefused) || this.#findings().length > 0;
  }

  get #all(): ReturnType<typeof renderCatalog> {
    const { bundles, image, updateGraph, defaultChannels, deprecations } = this.#props;
    return (this.#rendered ??= renderCatalog(
      bundles.map((bundle) => ({ id: bundle.node.path, bundle: bundle.model, image })),
      {
        ...(updateGraph && { updateGraph }),
        ...(defaultChannels && { defaultChannels }),
        ...(deprecations && { deprecations }),
      },
    ));
  }

  /** Reports nothing if a bundle is refused: without it, channels have gaps. */
  #findings(): readonly Finding[] {
    if (this.#props.bundles.some(({ isRefused }) => isRefused)) return [];
    const { problems, catalog } = this.#all;
    if (problems.length > 0) return problems.map(({ id, finding }) => prefixFinding([id], finding));
    const found = checkCatalog(catalog).filter(({ severity }) => severity === 'error');
    return found.map(({ blob, ...finding }) => prefixFinding([formatBlobLabel(blob)], finding));
  }
}

const OPM = 'quay.io/operator-framework/opm:v1.55.0';

/** The image is built in the folder that contains the catalog's folder. */
function renderDockerfile(folder: string, base: string = OPM): string {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  return [
    `FROM ${base}`,
    '',
    'ENTRYPOINT ["/bin/opm"]',
    'CMD ["serve", "/configs", "--cache-dir=/tmp/cache"]',
    '',
    `COPY ${name} /configs`,
    'RUN ["/bin/opm", "serve", "/configs", "--cache-dir=/tmp/cache", "--cache-only"]',
    '',
    'LABEL operators.operatorframework.io.index.configs.v1=/configs',
    '',
  ].join('\n');
}
