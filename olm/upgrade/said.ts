import { formatList } from '../../kube/problem.ts';
import { parseOlmVersion } from '../semver/version.ts';
import type { Version } from '../../kube/semver.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { ClusterServiceVersionSpec } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import { entryOf } from '../../kube/mapping.ts';

const PREFIX = 'operators.operatorframework.io.bundle.';

/** The facts of a bundle that decide about upgrades. */
export interface UpgradeFacts {
  readonly bundle: Bundle;
  /** The name of the ClusterServiceVersion; empty if it has none. */
  readonly name: string;
  readonly spec: Decoded<ClusterServiceVersionSpec>;
  /** The version as written; empty if there is none. */
  readonly versionText: string;
  /** Undefined if the version is invalid. */
  readonly version: Version | undefined;
  /** Empty if the bundle does not declare it. */
  readonly packageName: string;
  readonly channels: readonly string[];
  /** Empty if the bundle does not declare it. */
  readonly defaultChannel: string;
  annotation(name: string): string | undefined;
}

/** Reads the facts that a bundle declares. */
export function readUpgradeFacts(bundle: Bundle): UpgradeFacts {
  const { metadata = {}, spec = {} } = bundle.csv?.value ?? {};
  const { values } = bundle.annotations;
  const channels = entryOf(values, `${PREFIX}channels.v1`) ?? '';
  const versionText = spec.version ?? '';
  return {
    bundle,
    name: metadata.name ?? '',
    spec,
    versionText,
    version: parseOlmVersion(versionText),
    packageName: entryOf(values, `${PREFIX}package.v1`) ?? '',
    channels: [...new Set(channels.split(',').map((one) => one.trim()))].filter(Boolean),
    defaultChannel: entryOf(values, `${PREFIX}channel.default.v1`) ?? '',
    annotation: (name) => entryOf(metadata.annotations, name),
  };
}

/** Returns the elements of a list that another list does not have, without duplicates. */
export function subtract(list: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(list)].filter((one) => !known.has(one));
}

/** Formats names for a message, in their order. */
export function formatNames(all: Iterable<string>): string {
  return formatList([...all].toSorted());
}
