import { show } from '../../../kube/problem.ts';
import { allows } from '../objects/rights.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

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
export const definitionPractices: BundleCheck = {
  rules: [description, rights],
  check(bundle, say) {
    const { customresourcedefinitions, install } = bundle.csv.value.spec ?? {};
    for (const list of ['owned', 'required'] as const) {
      for (const [i, one] of (customresourcedefinitions?.[list] ?? []).entries()) {
        if (one.description !== undefined) continue;
        const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', list, i);
        say(description, place, `must have a description, got none for ${show(one.name)}`);
      }
    }
    for (const list of ['permissions', 'clusterPermissions'] as const) {
      for (const [i, { rules = [] }] of (install?.spec?.[list] ?? []).entries()) {
        for (const [j, rule] of rules.entries()) {
          if (!RESOURCES.some((one) => allows(rule, 'apiextensions.k8s.io', one, VERBS))) continue;
          const place = locateInCsv(bundle, 'spec', 'install', 'spec', list, i, 'rules', j);
          say(rights, place, 'must not allow to create CustomResourceDefinitions');
        }
      }
    }
  },
};
