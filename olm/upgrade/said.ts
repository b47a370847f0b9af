import { formatList } from '../../kube/problem.ts';
import { parseOlmVersion } from '../semver/tolerant.ts';
import type { Version } from '../../kube/semver.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { ClusterServiceVersionSpec } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import { entryOf } from '../../kube/mapping.ts';

const PREFIX = 'operators.operatorframework.io.bundle.';

/** What of a bundle decides about upgrades. */
export interface UpgradeFacts {
  readonly bundle: Bundle;
  /** Of the ClusterServiceVersion; empty where it has none. */
  readonly name: string;
  readonly spec: Decoded<ClusterServiceVersionSpec>;
  /** As it is written; empty where it is not. */
  readonly versionText: string;
  /** Undefined where it is none. */
  readonly version: Version | undefined;
  /** Empty where it is not said. */
  readonly packageName: string;
  readonly channels: readonly string[];
  /** Empty where it is not said. */
  readonly defaultChannel: string;
  annotation(name: string): string | undefined;
}

/** What a bundle says, as far as it does. */
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

/** Those of a list that another one has not, each once. */
export function subtract(list: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(list)].filter((one) => !known.has(one));
}

/** Names as a message has them, in their order. */
export function formatNames(all: Iterable<string>): string {
  return formatList([...all].toSorted());
}
