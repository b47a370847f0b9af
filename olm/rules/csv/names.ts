import { A_LABEL_VALUE, A_SUBDOMAIN, isLabelValue, isSubdomain } from '../../../kube/names.ts';
import { show } from '../../../kube/problem.ts';
import { parseGroupVersionKind } from '../../loader/loaded.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const name: BundleRule = {
  id: 'csv-name',
  severity: 'error',
  validators: ['csv'],
  description: '`metadata.name` is a DNS subdomain and a label value: at most 63 characters',
};

const replaces: BundleRule = {
  id: 'csv-replaces',
  severity: 'error',
  validators: ['csv'],
  description: '`spec.replaces` is a name that a ClusterServiceVersion can have',
};

const apiVersion: BundleRule = {
  id: 'csv-api-version',
  severity: 'error',
  validators: ['csv'],
  description: '`apiVersion` is present and contains a version',
};

const kind: BundleRule = {
  id: 'csv-kind',
  severity: 'error',
  validators: ['csv'],
  description: '`kind` is present in the document that OLM decodes',
};

/** The rules for the names, the kind and the apiVersion of a ClusterServiceVersion. */
export const names: BundleCheck = {
  rules: [name, replaces, apiVersion, kind],
  check(bundle, say) {
    const { value } = bundle.csv;
    const own = value.metadata?.name ?? '';
    if (!isVersionName(own)) say(name, locateInCsv(bundle, 'metadata', 'name'), wrong(own));
    const other = value.spec?.replaces ?? '';
    if (other !== '' && !isVersionName(other)) {
      say(replaces, locateInCsv(bundle, 'spec', 'replaces'), wrong(other));
    }
    const { version } = parseGroupVersionKind(value.apiVersion ?? '', '');
    if (version === '') {
      const message = `must be operators.coreos.com/v1alpha1, got ${show(value.apiVersion)}`;
      say(apiVersion, locateInCsv(bundle, 'apiVersion'), message);
    }
    if (value.kind === undefined) {
      say(kind, locateInCsv(bundle, 'kind'), 'must be ClusterServiceVersion, got nothing');
    }
  },
};

function isVersionName(text: string): boolean {
  return isSubdomain(text) && isLabelValue(text);
}

function wrong(got: string): string {
  const must = isSubdomain(got) ? A_LABEL_VALUE : A_SUBDOMAIN;
  return `must be ${must}, got ${show(got === '' ? undefined : got)}`;
}
