import { expect } from '@jest/globals';
import { compareDefinitions } from '@tenantry/crd/compatibility';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { validateDefinition } from '@tenantry/crd/validation';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { refusals } from '../../constructs/given.ts';
import { judge, sample, type Sample } from '@tenantry/olm/test/rules/sample';
import { readTrialText, testTrials } from '../../trials.ts';

/** Defines a test for small inputs that were misread, read in place, one folder each. */
const trialTest = (sentence: string, body: (read: typeof readTrialText) => void): void =>
  testTrials(sentence, () => body(readTrialText));

const collectRefusals = (read: (path: string) => string, trial: string): string[] =>
  refusals({ 't.yaml': read(`${trial}/tenants/t.yaml`) });

const definitionOf = (text: string): CustomResourceDefinitionManifest =>
  readDocuments(text).documents[0]!.value as CustomResourceDefinitionManifest;

trialTest('a quota below the default limit is reported', (read) => {
  const found = collectRefusals(read, 'q-defquota');
  expect(found).toHaveLength(2);
  expect(found.join('\n')).toContain('512Mi of limits.memory, above 256Mi of quota tenant-quota');
});

trialTest('defaults beyond the ratio are reported', (read) => {
  expect(collectRefusals(read, 'q-ratio')).toEqual([
    expect.stringContaining('8 times the request of 64Mi, above maxLimitRequestRatio 4'),
  ]);
});

trialTest('replicas beside an autoscaler are reported', (read) => {
  expect(refusals({ 'mu.yaml': read('hpa-replicas/mu.yaml') })).toEqual([
    expect.stringContaining('replicas'),
  ]);
});

trialTest('verbs that names void are reported', (read) => {
  const found = collectRefusals(read, 'r-named').join('\n');
  for (const verb of ['create', 'deletecollection', 'list']) {
    expect(found).toContain(`must have no resourceNames to allow ${verb} on`);
  }
});

trialTest(
  'a rule is breaking if it refuses more, and not if it is only written differently',
  (read) => {
    const verdicts = (name: string): string[] => {
      const [before, after] = ['old', 'new'].map((side) =>
        definitionOf(read(`c-celdiff/${name}-${side}.yaml`)),
      );
      return compareDefinitions(before!, after!).map(({ verdict }) => verdict);
    };
    expect(verdicts('celspace')).toEqual(['compatible']);
    expect(verdicts('celloose')).toEqual(['compatible']);
    expect(verdicts('celtight')).toEqual(['breaking']);
    expect(verdicts('celmsg')).toEqual(['compatible']);
  },
);

trialTest('keys that YAML reads as booleans are refused, one problem each', (read) => {
  expect(collectRefusals(read, 't-ykey').map((one) => one.slice(one.indexOf('must')))).toEqual([
    'must be in quotes as a key, since YAML reads it as true, got y',
    'must be in quotes as a key, since YAML reads it as false, got n',
    'must be in quotes as a key, since YAML reads it as true, got on',
    'must be in quotes as a key, since YAML reads it as true, got yes',
  ]);
});

trialTest('fields that two served versions lose are reported', (read) => {
  const { errors, warnings } = validateDefinition(definitionOf(read('c-conv/none.yaml')));
  expect(errors).toEqual([]);
  expect(warnings.map(({ message }) => message.split(' got ')[1])).toEqual([
    'no spec.size',
    'no spec.replicas',
  ]);
});

trialTest(
  'an API that the oldest Kubernetes version of a bundle does not serve is an error',
  (read) => {
    const given: Sample = sample();
    given.csv.spec.minKubeVersion = '1.30.0';
    given.files['manifests/pdb.yaml'] = definitionOf(read('o-removedapi/pdb.yaml'));
    expect(judge(given).map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'error removed-api',
    ]);
  },
);

trialTest('parts of a block are left out', (read) => {
  expect(collectRefusals(read, 'n-except')).toEqual([]);
});

trialTest('a mark that makes an object part of an Application is refused in a template', (read) => {
  const at = 'spec.resources[0].manifest.spec.volumeClaimTemplates[0].metadata.annotations';
  const found = refusals({ 'mallory.yaml': read('argocd-tracking-forge/git-only-mallory.yaml') });
  expect(found).toEqual(
    ['tracking-id', 'sync-options'].map((key) =>
      expect.stringContaining(`${at}["argocd.argoproj.io/${key}"] must not be set`),
    ),
  );
});
