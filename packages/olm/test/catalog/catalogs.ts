import { emitYaml } from '@tenantry/kube/yaml/write';
import type { ChannelEntry } from '../../catalog/catalog.ts';
import { checkCatalog } from '../../catalog/check-catalog.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { formatProblem } from '@tenantry/kube/problem';

/** An object of a catalog, valid or not. */
export type Blob = Record<string, unknown>;

export const olmPackage = (more: Blob = {}): Blob => ({
  schema: 'olm.package',
  name: 'redis',
  defaultChannel: 'stable',
  ...more,
});

export const olmChannel = (entries: readonly ChannelEntry[], more: Blob = {}): Blob => ({
  schema: 'olm.channel',
  name: 'stable',
  package: 'redis',
  entries,
  ...more,
});

/** Builds the bundle `redis.v1.0.0` of a version. */
export const olmBundle = (version: string, more: Blob = {}): Blob => ({
  schema: 'olm.bundle',
  name: `redis.v${version}`,
  package: 'redis',
  image: `quay.io/example/redis-bundle:v${version}`,
  properties: [{ type: 'olm.package', value: { packageName: 'redis', version } }],
  ...more,
});

/** Builds a valid catalog of three versions. */
export const sound = (): Blob[] => [
  olmPackage(),
  olmChannel([
    { name: 'redis.v1.0.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0', skipRange: '>=1.0.0 <1.2.0' },
  ]),
  olmBundle('1.0.0'),
  olmBundle('1.1.0'),
  olmBundle('1.2.0'),
];

/** Returns the errors of a catalog as rule and path. */
export function placesOf(blobs: readonly Blob[]): string[] {
  const read = readCatalog([{ file: 'c.yaml', text: emitYaml(blobs) }]);
  const problems = checkCatalog(read.catalog).map((finding) => read.problem(finding));
  return [...read.problems, ...problems].map(({ rule, path }) => `${rule} ${path}`.trim());
}

/** Returns the findings about a catalog: `<rule> <place> <message>` of each error and each warning. */
export function validateBlobs(blobs: readonly Blob[]): { errors: string[]; warnings: string[] } {
  return validateCatalogText(emitYaml(blobs));
}

export function validateCatalogText(text: string): { errors: string[]; warnings: string[] } {
  const read = readCatalog([{ file: 'c.yaml', text }]);
  const findings = read.problems.length > 0 ? [] : checkCatalog(read.catalog);
  const problems = findings.map((finding) => read.problem(finding));
  return {
    errors: [...read.problems, ...problems].map((one) => `${one.rule} ${formatProblem(one)}`),
    warnings: read.warnings.map((one) => `${one.rule} ${formatProblem(one)}`),
  };
}

/** Returns the rules of the errors. */
export function rulesOf(blobs: readonly Blob[]): string[] {
  return validateBlobs(blobs).errors.map((line) => line.split(' ')[0]!);
}
