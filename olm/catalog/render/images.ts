import type { Bundle } from '../../bundle/bundle.ts';
import type { StrategyDeploymentSpec } from '../../bundle/cluster-service-version.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import type { CatalogImage } from '../catalog.ts';

/** Collects all images that a bundle needs, including its own, sorted and without duplicates. */
export function collectBundleImages({ csv }: Bundle, image: string): CatalogImage[] {
  const { relatedImages = [], install } = csv?.value.spec ?? {};
  const declared = relatedImages.map(({ name = '', image: one = '' }) => ({ name, image: one }));
  const known = new Set(declared.map((one) => one.image));
  const deployments = install?.strategy === 'deployment' ? (install.spec?.deployments ?? []) : [];
  const run = deployments.flatMap(({ spec }) => containerImages(spec));
  const more = [...new Set([image, ...run])].filter((one) => one !== '' && !known.has(one));
  const all = [...declared, ...more.map((one) => ({ name: '', image: one }))];
  return all.toSorted((a, b) => order(a.image, b.image) || order(a.name, b.name));
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the images of the containers of a Deployment. */
function containerImages({ template }: Decoded<StrategyDeploymentSpec> = {}): string[] {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  return [...containers, ...initContainers].flatMap(({ image }) => image ?? []);
}
