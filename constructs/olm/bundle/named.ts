import type { BundleProps } from './props.ts';

/** Returns the name of the package. */
export function packageName({ package: name, operator }: BundleProps): string {
  return name ?? operator.name;
}

/** Returns the version; empty if there is none, which is reported as an error. */
export function versionOf({ operator }: BundleProps): string {
  return operator.version ?? '';
}

/**
 * Returns the name of the bundle and of its ClusterServiceVersion: `redis.v1.2.3`. With a release
 * it is `redis-v1.2.3-1`, as catalogs require. Build metadata follows a `-`.
 */
export function bundleName(props: BundleProps): string {
  if (props.name !== undefined) return props.name;
  const version = versionOf(props).replaceAll('+', '-');
  const { release } = props;
  const name = packageName(props);
  return release === undefined ? `${name}.v${version}` : `${name}-v${version}-${release}`;
}
