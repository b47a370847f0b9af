import { describe, expect, test } from '@jest/globals';
import { clusterServiceVersion } from '../../bundle/cluster-service-version.ts';
import { findDifferences, normalizeBundle } from '../../normalization/normalized-bundle.ts';
import { fillRequiredFields } from '../../normalization/normalized-fields.ts';
import { annotations, bundleOf, crd, csv, sample, type Texts } from '../sample.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';
const CRD = 'manifests/example.com_redises.yaml';
const ANNOTATIONS = 'metadata/annotations.yaml';

/** Returns the paths at which a bundle differs in meaning from the sample. */
const changedAt = (texts: Texts): string[] =>
  findDifferences(
    normalizeBundle(bundleOf(sample)),
    normalizeBundle(bundleOf({ ...sample, ...texts })),
  ).map(({ path }) => path.join(' '));

const swapped = (text: string, from: string, to: string): string => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe('two bundles mean the same although', () => {
  test.each<readonly [string, Texts]>([
    [
      'files have other names and objects another form',
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
      'unsupported modes are left out',
      {
        [CSV]: swapped(
          csv,
          '  installModes:\n',
          '  installModes:\n    - { type: OwnNamespace, supported: false }\n',
        ),
      },
    ],
    [
      'the examples are left out',
      { [CSV]: swapped(csv, "  annotations:\n    alm-examples: '[]'\n", '') },
    ],
    [
      'empty texts and lists without items are written out',
      {
        [CSV]: swapped(
          csv,
          '  version: 1.2.3\n',
          "  version: 1.2.3\n  replaces: ''\n  skips: []\n",
        ),
      },
    ],
    [
      'the lack of a conversion is explicit',
      {
        [CRD]: swapped(
          crd,
          'scope: Namespaced\n',
          'scope: Namespaced\n  conversion: { strategy: None }\n',
        ),
      },
    ],
    [
      'folders have other names',
      { [ANNOTATIONS]: swapped(annotations, 'v1: manifests/', 'v1: other/') },
    ],
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

describe('two bundles differ in meaning if', () => {
  test.each<readonly [string, Texts, string]>([
    [
      'an image is another one',
      { [CSV]: swapped(csv, '@sha256:1', '@sha256:2') },
      'csv spec install spec deployments 0 spec template spec containers 0 image',
    ],
    [
      'another mode is supported',
      { [CSV]: swapped(csv, 'AllNamespaces,', 'OwnNamespace,') },
      'csv spec installModes 0',
    ],
    ['an example is added', { [CSV]: swapped(csv, "'[]'", "'[{}]'") }, 'csv metadata annotations'],
    [
      'an empty map has a meaning for a pod',
      { [CSV]: swapped(csv, '- { name: manager,', '- { name: manager, securityContext: {},') },
      'csv spec install spec deployments 0 spec template spec containers 0 securityContext',
    ],
    [
      'a field of a definition changes',
      { [CRD]: swapped(crd, '{ type: object }', '{ type: object, description: x }') },
      'definitions redises.example.com spec versions 0 schema openAPIV3Schema description',
    ],
    [
      'an unrelated webhook converts',
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
      'the channel changes',
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

  test('a definition occurs twice', () => {
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
