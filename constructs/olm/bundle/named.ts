import type { BundleProps } from './props.ts';

/** The name of a package. */
export function packageName({ package: name, operator }: BundleProps): string {
  return name ?? operator.name;
}

/** The version; empty where none is said, which is a mistake. */
export function versionOf({ operator }: BundleProps): string {
  return operator.version ?? '';
}

/**
 * The name of the bundle, and of its ClusterServiceVersion: `redis.v1.2.3`; with a release
 * `redis-v1.2.3-1`, as catalogs ask for. What a version is built of is behind a `-`.
 */
export function bundleName(props: BundleProps): string {
  if (props.name !== undefined) return props.name;
  const version = versionOf(props).replaceAll('+', '-');
  const { release } = props;
  const name = packageName(props);
  return release === undefined ? `${name}.v${version}` : `${name}-v${version}-${release}`;
}
