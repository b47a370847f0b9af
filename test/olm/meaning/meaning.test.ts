import { describe, expect, test } from '@jest/globals';
import { clusterServiceVersion } from '../../../olm/bundle/cluster-service-version.ts';
import { findDifferences } from '../../../olm/meaning/differences.ts';
import { fillRequiredFields } from '../../../olm/meaning/filled-in.ts';
import { normalizeBundle } from '../../../olm/meaning/meaning.ts';
import { annotations, bundleOf, crd, csv, sample, type Texts } from '../sample.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';
const CRD = 'manifests/example.com_redises.yaml';
const ANNOTATIONS = 'metadata/annotations.yaml';

/** Where a bundle means something else than the sample. */
const changedAt = (texts: Texts): string[] =>
  findDifferences(
    normalizeBundle(bundleOf(sample)),
    normalizeBundle(bundleOf({ ...sample, ...texts })),
  ).map(({ path }) => path.join(' '));

const swapped = (text: string, from: string, to: string): string => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe('two bundles mean the same, however', () => {
  test.each<readonly [string, Texts]>([
    [
      'files are called and objects are written',
      { [CRD]: '', 'manifests/x.yml': swapped(crd, 'scope: Namespaced', '"scope": "Namespaced"') },
    ],
    [
      'a cluster wrote into metadata',
      {
        [CSV]: swapped(
          csv,
          'metadata:\n',
          'metadata:\n  creationTimestamp: null\n  namespace: x\n',
        ),
        [CRD]: `${swapped(crd, 'metadata: {', 'metadata: { uid: x, generation: 3,')}status: { storedVersions: [] }\n`,
      },
    ],
    [
      'modes that are not supported are left out',
      {
        [CSV]: swapped(
          csv,
          '  installModes:\n',
          '  installModes:\n    - { type: OwnNamespace, supported: false }\n',
        ),
      },
    ],
    [
      'no examples are told',
      { [CSV]: swapped(csv, "  annotations:\n    alm-examples: '[]'\n", '') },
    ],
    [
      'texts that are empty, and lists without items, are written out',
      {
        [CSV]: swapped(
          csv,
          '  version: 1.2.3\n',
          "  version: 1.2.3\n  replaces: ''\n  skips: []\n",
        ),
      },
    ],
    [
      'what needs no conversion says so',
      {
        [CRD]: swapped(
          crd,
          'scope: Namespaced\n',
          'scope: Namespaced\n  conversion: { strategy: None }\n',
        ),
      },
    ],
    ['folders are called', { [ANNOTATIONS]: swapped(annotations, 'v1: manifests/', 'v1: other/') }],
    [
      'labels of the image repeat its annotations',
      {
        'bundle.Dockerfile': `FROM scratch\nLABEL operators.operatorframework.io.bundle.package.v1=redis-operator\n`,
      },
    ],
  ])('%s', (_, texts) => {
    expect(changedAt(texts)).toEqual([]);
  });
});

describe('it is another meaning when', () => {
  test.each<readonly [string, Texts, string]>([
    [
      'an image is another',
      { [CSV]: swapped(csv, '@sha256:1', '@sha256:2') },
      'csv spec install spec deployments 0 spec template spec containers 0 image',
    ],
    [
      'a mode is supported',
      { [CSV]: swapped(csv, 'AllNamespaces,', 'OwnNamespace,') },
      'csv spec installModes 0',
    ],
    ['an example is told', { [CSV]: swapped(csv, "'[]'", "'[{}]'") }, 'csv metadata annotations'],
    [
      'an empty map says something to a pod',
      { [CSV]: swapped(csv, '- { name: manager,', '- { name: manager, securityContext: {},') },
      'csv spec install spec deployments 0 spec template spec containers 0 securityContext',
    ],
    [
      'a field of a definition is another',
      { [CRD]: swapped(crd, '{ type: object }', '{ type: object, description: x }') },
      'definitions redises.example.com spec versions 0 schema openAPIV3Schema description',
    ],
    [
      'a webhook that OLM does not know converts',
      {
        [CRD]: swapped(
          crd,
          'scope: Namespaced\n',
          'scope: Namespaced\n  conversion: { strategy: Webhook }\n',
        ),
      },
      'definitions redises.example.com spec conversion',
    ],
    [
      'there is another object',
      { 'manifests/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n' },
      'manifests ConfigMap.v1/x',
    ],
    [
      'the channel is another',
      { [ANNOTATIONS]: swapped(annotations, 'v1: stable', 'v1: fast') },
      'annotations operators.operatorframework.io.bundle.channels.v1',
    ],
    ['the image has a label', { 'bundle.Dockerfile': 'FROM scratch\nLABEL a=b\n' }, 'labels a'],
    [
      'there is a dependency',
      {
        'metadata/dependencies.yaml': 'dependencies: [{ type: olm.label, value: { label: x } }]\n',
      },
      'dependencies',
    ],
  ])('%s', (_, texts, at) => {
    expect(changedAt(texts)).toEqual([at]);
  });

  test('a definition is there twice', () => {
    expect(changedAt({ 'manifests/again.yaml': crd })).toEqual(['definitions redises.example.com']);
  });
});

test('what must be there is filled in as OLM does, in lists too, and words are not guessed', () => {
  const spec = {
    customresourcedefinitions: { owned: [{ name: 'a', resources: [{ kind: 'Pod' }] }] },
    icon: [{ base64data: 'x' }],
  };
  expect(fillRequiredFields(clusterServiceVersion, { spec })).toEqual({
    spec: {
      customresourcedefinitions: {
        owned: [
          { name: 'a', version: '', kind: '', resources: [{ kind: 'Pod', name: '', version: '' }] },
        ],
      },
      icon: [{ base64data: 'x' }],
      displayName: '',
    },
  });
});
