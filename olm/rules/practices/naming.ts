import { show } from '../../../kube/problem.ts';
import { parseVersion } from '../../../kube/semver.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const versionName: BundleRule = {
  id: 'csv-name-version',
  severity: 'warning',
  validators: ['good-practices'],
  description: '`metadata.name` ends with a version of semver.org',
};

const conventionalName: BundleRule = {
  id: 'csv-name-convention',
  severity: 'warning',
  validators: ['good-practices'],
  description: '`metadata.name` is `<operator>.v<version>`',
};

const channelName: BundleRule = {
  id: 'channel-name',
  severity: 'warning',
  validators: ['good-practices'],
  description: 'a channel is named candidate, fast or stable, or begins with one of them',
};

/** The rules for the naming conventions of bundles and channels. */
export const naming: BundleCheck = {
  rules: [versionName, conventionalName, channelName],
  check(bundle, say) {
    const { name } = bundle;
    const at = locateInCsv(bundle, 'metadata', 'name');
    const [ending] = VERSION.exec(name) ?? [];
    if (ending === undefined || parseVersion(ending) === undefined) {
      say(versionName, at, `must end with a version such as '1.2.3', got ${show(name)}`);
    }
    if (name.split('.v').length !== 2) {
      say(conventionalName, at, `must be like 'redis-operator.v1.2.3', got ${show(name)}`);
    }
    const { document } = bundle.read.annotations;
    for (const channel of new Set([...bundle.channels, bundle.defaultChannel].map(trim))) {
      if (channel === '' || /^(?:candidate|fast|stable)/.test(channel)) continue;
      const path = ['annotations', 'operators.operatorframework.io.bundle.channels.v1'];
      const place = document === undefined ? { path } : { file: document.file, path };
      say(channelName, place, `must begin with candidate, fast or stable, got ${show(channel)}`);
    }
  },
};

const VERSION =
  /([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+)?$/;

function trim(text: string): string {
  return text.trim();
}
