import { show } from '@tenantry/kube/problem';
import { parseVersion } from '@tenantry/kube/semver';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';
import { allows } from './objects.ts';

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
export const namingConventionsCheck: BundleCheck = {
  rules: [versionName, conventionalName, channelName],
  check(bundle, report) {
    const { name } = bundle;
    const at = locateInCsv(bundle, 'metadata', 'name');
    const [ending] = VERSION.exec(name) ?? [];
    if (ending === undefined || parseVersion(ending) === undefined) {
      report(versionName, at, `must end with a version such as '1.2.3', got ${show(name)}`);
    }
    if (name.split('.v').length !== 2) {
      report(conventionalName, at, `must be like 'redis-operator.v1.2.3', got ${show(name)}`);
    }
    const { document } = bundle.read.annotations;
    for (const channel of new Set([...bundle.channels, bundle.defaultChannel].map(trim))) {
      if (channel === '' || /^(?:candidate|fast|stable)/.test(channel)) continue;
      const path = ['annotations', 'operators.operatorframework.io.bundle.channels.v1'];
      const place = document === undefined ? { path } : { file: document.file, path };
      report(channelName, place, `must begin with candidate, fast or stable, got ${show(channel)}`);
    }
  },
};

const VERSION =
  /([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+)?$/;

function trim(text: string): string {
  return text.trim();
}

const noDeployment: BundleRule = {
  id: 'deployments',
  severity: 'error',
  validators: ['good-practices'],
  description: 'the ClusterServiceVersion installs deployments',
};

const noRequests: BundleRule = {
  id: 'resource-requests',
  severity: 'warning',
  validators: ['good-practices'],
  description: 'each container of a deployment requests resources',
};

/** The rules for the Deployments of an operator and their resource requests. */
export const deploymentsCheck: BundleCheck = {
  rules: [noDeployment, noRequests],
  check(bundle, report) {
    const list = bundle.csv.value.spec?.install?.spec?.deployments;
    const path = ['spec', 'install', 'spec', 'deployments'];
    if (list === undefined) {
      return report(noDeployment, locateInCsv(bundle, ...path), 'must have a deployment, got none');
    }
    for (const [i, { spec }] of list.entries()) {
      const { containers = [] } = spec?.template?.spec ?? {};
      for (const [j, { name, resources }] of containers.entries()) {
        if (resources?.requests !== undefined) continue;
        const at = [...path, i, 'spec', 'template', 'spec', 'containers', j, 'resources'];
        const message = `must request cpu and memory, got nothing in container ${show(name)}`;
        report(noRequests, locateInCsv(bundle, ...at), message);
      }
    }
  },
};

const description: BundleRule = {
  id: 'definition-description',
  severity: 'warning',
  validators: ['good-practices'],
  description: 'owned and required custom resources have a description',
};

const rights: BundleRule = {
  id: 'definition-rights',
  severity: 'warning',
  validators: ['good-practices'],
  description: 'the operator has no right to create CustomResourceDefinitions: OLM does that',
};

const RESOURCES = ['customresourcedefinitions', '*', '[*]'];
const VERBS = ['create', 'patch', '*', '[*]'];

/** The rules for the descriptions of custom resources, and for who creates their definitions. */
export const definitionPracticesCheck: BundleCheck = {
  rules: [description, rights],
  check(bundle, report) {
    const { customresourcedefinitions, install } = bundle.csv.value.spec ?? {};
    for (const list of ['owned', 'required'] as const) {
      for (const [i, one] of (customresourcedefinitions?.[list] ?? []).entries()) {
        if (one.description !== undefined) continue;
        const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', list, i);
        report(description, place, `must have a description, got none for ${show(one.name)}`);
      }
    }
    for (const list of ['permissions', 'clusterPermissions'] as const) {
      for (const [i, { rules = [] }] of (install?.spec?.[list] ?? []).entries()) {
        for (const [j, rule] of rules.entries()) {
          if (!RESOURCES.some((one) => allows(rule, 'apiextensions.k8s.io', one, VERBS))) continue;
          const place = locateInCsv(bundle, 'spec', 'install', 'spec', list, i, 'rules', j);
          report(rights, place, 'must not allow to create CustomResourceDefinitions');
        }
      }
    }
  },
};
