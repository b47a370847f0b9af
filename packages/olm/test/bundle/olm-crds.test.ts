import { expect } from '@jest/globals';
import { clusterServiceVersion } from '../../bundle/cluster-service-version.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { differing, fieldsOf } from '@tenantry/crd/test/schema/fields';
import { publishedTest } from '../published.ts';

function crdTest(sentence: string, body: (published: JSONSchemaProps) => void): void {
  const file = 'operators.coreos.com_clusterserviceversions';
  publishedTest(sentence, file, ({ versions }) => {
    body(versions['v1alpha1']!.schema.properties!['spec']!);
  });
}

const DEPLOYMENT = 'install.spec.deployments[].spec';

const below = (path: string): boolean => path.startsWith(`${DEPLOYMENT}.`);

crdTest('every field that OLM publishes is typed here, and the reverse', (published) => {
  const theirs = fieldsOf(published);
  const ours = fieldsOf(clusterServiceVersion.properties!['spec']!);
  const differences = differing(theirs, ours)
    .filter((path) => !below(path))
    .map((path) => `${path}: ${theirs.get(path)} there, ${ours.get(path)} here`)
    // OLM decodes any JSON there; its definition accepts only strings.
    .filter((line) => !line.includes('Descriptors[].value: string there, anything here'));
  expect(differences).toEqual([]);
});

crdTest('every field of the Deployment that OLM publishes is typed here', (published) => {
  const ours = fieldsOf(clusterServiceVersion.properties!['spec']!);
  const missing = [...fieldsOf(published).keys()].filter((path) => below(path) && !ours.has(path));
  expect(missing).toEqual([]);
});
