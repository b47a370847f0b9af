import { expect, test } from '@jest/globals';
import { parseBundle } from '../../bundle/parse.ts';
import { readCiConfig } from '../../submission/pipeline-config.ts';
import { submissionRules } from '../../submission/rules.ts';
import {
  resolveSubmissionTarget,
  buildSubmission,
  type SubmissionOptions,
} from '../../submission/submission.ts';
import type { Sample } from '../rules/sample.ts';
import {
  bundleOf,
  filesOf,
  questions,
  submittedTexts,
  submit,
  submittable,
  collectFindings,
} from './submittable.ts';

const texts = (files: readonly { readonly path: string; readonly bytes: Uint8Array }[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));

/** Builds a published version. */
const published = (version: string, change: (given: Sample) => void = () => {}) => {
  const given = submittable(version);
  change(given);
  return { version, bundle: bundleOf(given) };
};

test('a complete bundle has no findings, and has the layout of the repositories', () => {
  const given = submittable();
  expect(collectFindings(given)).toEqual([]);
  expect(collectFindings(given, { repository: 'openshift' })).toEqual([]);
  const { files, ci } = submit(given);
  expect(texts(files)).toEqual({
    ...submittedTexts(given),
    'bundle.Dockerfile': expect.any(String),
  });
  expect(ci).toBe('reviewers:\n- jo\nupdateGraph: replaces-mode\n');
});

test('a missing Dockerfile is rendered from the annotations', () => {
  const { files } = submit(submittable());
  expect(texts(files)['bundle.Dockerfile']).toBe(`FROM scratch

LABEL operators.operatorframework.io.bundle.mediatype.v1=registry+v1
LABEL operators.operatorframework.io.bundle.manifests.v1=manifests/
LABEL operators.operatorframework.io.bundle.metadata.v1=metadata/
LABEL operators.operatorframework.io.bundle.package.v1=redis-operator
LABEL operators.operatorframework.io.bundle.channels.v1=stable
LABEL operators.operatorframework.io.bundle.channel.default.v1=stable
LABEL com.redhat.openshift.versions=v4.14

COPY manifests /manifests/
COPY metadata /metadata/
`);
});

test('an existing Dockerfile stays, unless it copies other folders', () => {
  const given = submittable();
  const own =
    'FROM scratch\n# ours\nCOPY --chown=1 manifests /manifests/\nCOPY ./metadata/ /metadata/\n';
  given.files['bundle.Dockerfile'] = own;
  expect(texts(submit(given).files)['bundle.Dockerfile']).toBe(own);
  given.files['bundle.Dockerfile'] = own.replace('./metadata', 'bundle/metadata');
  expect(texts(submit(given).files)['bundle.Dockerfile']).toContain('COPY metadata /metadata/');
  expect(collectFindings(given)).toEqual(['warning submission-dockerfile ']);
});

test.each([
  ['COPY . /', true],
  ['COPY manifests /elsewhere/', true],
  ['RUN manifest /', true],
  ['ADD manifests/ metadata /', true],
  ['add /manifests//cache.example.com_redis.yaml /', true],
  ['COPY manifests/other.yaml /', false],
  ['ADD https://example.com/a.tar /', false],
  ['COPY manifest /manifests/', false],
])('a Dockerfile with %j stays: %j', (line, stays) => {
  const given = submittable();
  given.files['bundle.Dockerfile'] = `FROM scratch\n${line}\nLABEL a=b\n`;
  const written = texts(submit(given).files)['bundle.Dockerfile'];
  expect(written === given.files['bundle.Dockerfile']).toBe(stays);
});

test('a Dockerfile that is not text is rewritten', () => {
  const files = filesOf(submittable());
  const bundle = parseBundle({
    files: [...files, { path: 'bundle.Dockerfile', bytes: Buffer.from([0xff, 0xfe, 0]) }],
  });
  const submission = buildSubmission(bundle, 'redis-operator', questions);
  expect(texts(submission.files)['bundle.Dockerfile']).toContain('COPY manifests /manifests/');
});

test('manifests without a folder of their own, and annotations beside them, get folders', () => {
  const flat = filesOf(submittable()).map(({ path, bytes }) => {
    return { path: path.slice(path.indexOf('/') + 1), bytes };
  });
  const others = ['README.md', 'bundle.Dockerfile'].map((path) => {
    return { path, bytes: Buffer.from('FROM scratch\nCOPY *.yaml /manifests/\n') };
  });
  const bundle = parseBundle({ files: [...flat, ...others] });
  const { files } = buildSubmission(bundle, 'redis-operator', questions);
  const given = submittedTexts(submittable());
  const { 'metadata/annotations.yaml': annotations, ...manifests } = given;
  expect(texts(files)).toEqual({
    ...manifests,
    'metadata/annotations.yaml': expect.stringContaining('bundle.package.v1: redis-operator'),
    'bundle.Dockerfile': expect.stringContaining('COPY manifests /manifests/'),
  });
  expect(annotations).toContain('redis-operator');
});

test('manifests are found in any folder, and nothing else is copied', () => {
  const files = filesOf(submittable()).map(({ path, bytes }) => ({
    path: `deploy/${path}`,
    bytes,
  }));
  const notes = ['README.md', '.git/config', 'deploy/Makefile'].map((path) => {
    return { path, bytes: Buffer.from('x') };
  });
  const scorecard = { path: 'deploy/tests/scorecard/config.yaml', bytes: Buffer.from('a: 1\n') };
  const bundle = parseBundle({ files: [...files, ...notes, scorecard] });
  const paths = Object.keys(texts(buildSubmission(bundle, 'redis-operator', questions).files));
  expect(paths).toEqual([
    'bundle.Dockerfile',
    'manifests/cache.example.com_redis.yaml',
    'manifests/redis-operator.clusterserviceversion.yaml',
    'metadata/annotations.yaml',
    'tests/scorecard/config.yaml',
  ]);
});

type Row = readonly [
  sentence: string,
  change: (given: Sample) => void,
  more: Partial<SubmissionOptions>,
  expected: readonly string[],
];

const annotation = (name: string, value?: string) => (given: Sample) => {
  given.csv.metadata.annotations[name] = value;
};
const spec = (more: object) => (given: Sample) => Object.assign(given.csv.spec, more);
const nothing = () => {};
const ci = (text: string): Partial<SubmissionOptions> => ({ ci: text });
const fbc = 'reviewers: [jo]\nfbc: { enabled: true }\n';
const two = published('1.2.2');
const chain = [published('1.2.1'), published('1.2.2', spec({ replaces: 'redis-operator.v1.2.1' }))];
const severalNames = [
  published('1.2.1'),
  published('1.2.2', (one) => {
    one.csv.metadata.name = 'redis.v1.2.2';
    one.csv.spec.replaces = 'redis-operator.v1.2.1';
  }),
];

const rows: readonly Row[] = [
  [
    'texts of exactly the shortest and the longest allowed length',
    spec({ displayName: 'Red', description: 'R'.repeat(20), provider: { name: 'Exa' } }),
    {},
    [],
  ],
  ['a name of 50 letters', spec({ displayName: 'é'.repeat(50) }), {}, []],
  ['no icon', ({ csv }) => delete csv.spec.icon, {}, ['error submission-required spec.icon']],
  ['a short name', spec({ displayName: 'Re' }), {}, ['error submission-required spec.displayName']],
  [
    'a long one',
    spec({ displayName: 'R'.repeat(51) }),
    {},
    ['error submission-required spec.displayName'],
  ],
  [
    'few words',
    spec({ description: 'Redis.' }),
    {},
    ['error submission-required spec.description'],
  ],
  ['no maintainer', spec({ maintainers: [] }), {}, ['error submission-required spec.maintainers']],
  ['no link', spec({ links: [] }), {}, ['error submission-required spec.links']],
  ['no provider', spec({ provider: {} }), {}, ['error submission-required spec.provider.name']],
  [
    'a short provider',
    spec({ provider: { name: 'Ex' } }),
    {},
    ['error submission-required spec.provider.name'],
  ],
  ['no keywords', spec({ keywords: [] }), {}, ['warning submission-advised spec.keywords']],
  ...['createdAt', 'repository', 'support', 'containerImage', 'description', 'categories'].map(
    (name): Row => [
      `no ${name}`,
      annotation(name),
      {},
      [`warning submission-advised metadata.annotations.${name}`],
    ],
  ),
  ...(
    [
      ['createdAt', '2026-02-30', false],
      ['createdAt', '2026-01-31 12:00:00', true],
      ['createdAt', 'yesterday', false],
      ['createdAt', '2026-01-31', true],
      ['createdAt', '2026-01-31T25 o’clock', false],
      ['repository', 'http://example.com', true],
      ['repository', 'see https://example.com', false],
      ['support', 'us', false],
      ['support', 'Jo!', true],
      ['description', 'Nine long', false],
      ['categories', ' ', false],
      ['repository', 'github.com/example', false],
      ['containerImage', 'quay.io/example/operator', false],
      ['containerImage', `quay.io/example/operator@sha256:${'a'.repeat(64)}`, true],
      ['containerImage', 'localhost:5000/operator', false],
    ] as const
  ).map(([name, value, isOne]): Row => [
    `${name} ${value}`,
    annotation(name, value),
    {},
    [
      ...(name === 'categories' ? [`error categories metadata.annotations.${name}`] : []),
      // If the suites report it as an error, there is no further warning.
      ...(isOne || name === 'categories'
        ? []
        : [`warning submission-advised metadata.annotations.${name}`]),
    ],
  ]),
  [
    'a NetworkPolicy, which OpenShift refuses',
    (given) => (given.files['manifests/n.yaml'] = policy()),
    { repository: 'openshift' },
    ['error submission-network-policy '],
  ],
  ['and OperatorHub does not', (given) => (given.files['manifests/n.yaml'] = policy()), {}, []],
  [
    'a NetworkPolicy of another group is an unrelated kind',
    (given) => (given.files['manifests/n.yaml'] = { ...policy(), apiVersion: 'example.com/v1' }),
    { repository: 'openshift' },
    [],
  ],
  [
    'another kind of that group',
    (given) => (given.files['manifests/n.yaml'] = { ...policy(), kind: 'Ingress' }),
    { repository: 'openshift' },
    ['error kind kind'],
  ],
  [
    'neither a Kubernetes nor an OpenShift version',
    (given) => {
      delete given.csv.spec.minKubeVersion;
      delete given.annotations['com.redhat.openshift.versions'];
    },
    { repository: 'openshift' },
    ['warning min-kube-version spec.minKubeVersion'],
  ],
  [
    'a Kubernetes version without an OpenShift version',
    (given) => delete given.annotations['com.redhat.openshift.versions'],
    { repository: 'openshift' },
    ['error submission-openshift-versions annotations.com.redhat.openshift.versions'],
  ],
  ...(
    [
      ['v4.12', true],
      ['v4.11', false],
      ['=v4.12', true],
      ['v4.12-v4.15', true],
      ['v4.11-v4.15', false],
      ['4.20', true],
      ['all', false],
      ['v4.12,all', false],
      [' v4.15, v4.12 ', true],
      ['v4.15,v4.11', false],
    ] as const
  ).map(([versions, isOne]): Row => [
    `OpenShift ${versions} for Kubernetes 1.25`,
    (given) => (given.annotations['com.redhat.openshift.versions'] = versions),
    { repository: 'openshift' },
    isOne ? [] : ['error submission-openshift-versions annotations.com.redhat.openshift.versions'],
  ]),
  [
    'a name that differs from the package',
    (given) => (given.csv.metadata.name = 'redis.v1.2.3'),
    {},
    ['error submission-name metadata.name'],
  ],
  [
    'a name that other versions do not have',
    (given) => {
      given.csv.metadata.name = 'redis.v1.2.3';
      given.csv.spec.replaces = 'redis-operator.v1.2.2';
    },
    { others: [two] },
    ['error submission-name metadata.name'],
  ],
  [
    'the name of the other versions, whatever the name of the package',
    (given) => {
      given.csv.metadata.name = 'redis.v1.2.3';
      given.csv.spec.replaces = 'redis.v1.2.2';
    },
    { others: [published('1.2.2', (one) => (one.csv.metadata.name = 'redis.v1.2.2'))] },
    [],
  ],
  [
    'one of several names of the other versions, which differs from the package',
    (given) => {
      given.csv.metadata.name = 'redis.v1.2.3';
      given.csv.spec.replaces = 'redis.v1.2.2';
    },
    { others: severalNames },
    ['warning submission-name metadata.name'],
  ],
  [
    'the name of the package, while the other versions have several',
    spec({ replaces: 'redis.v1.2.2' }),
    { others: severalNames },
    [],
  ],
  [
    'the replaced version does not exist',
    spec({ replaces: 'redis-operator.v1.2.2' }),
    {},
    ['error submission-replaces spec.replaces'],
  ],
  [
    'a version that replaces itself',
    spec({ replaces: 'redis-operator.v1.2.3' }),
    {},
    ['error replaces-itself spec.replaces', 'error submission-graph '],
  ],
  [
    'the replaced version exists',
    spec({ replaces: 'redis-operator.v1.2.2' }),
    { others: chain },
    [],
  ],
  [
    'nothing is replaced, and there is another head',
    nothing,
    { others: [two] },
    ['error submission-graph '],
  ],
  [
    'a version in the middle is replaced, and its head stays the only one',
    spec({ replaces: 'redis-operator.v1.2.1' }),
    { others: chain },
    ['error submission-graph '],
  ],
  ['in semver mode the graph is not checked', nothing, { others: chain, graph: 'semver' }, []],
  [
    'nor with semver-mode in ci.yaml',
    nothing,
    { others: chain, ...ci('reviewers: [jo]\nupdateGraph: semver-mode\n') },
    [],
  ],
  ['nor with a file-based catalog', spec({ replaces: 'a.v1' }), ci(fbc), []],
  [
    'but with a disabled file-based catalog',
    nothing,
    { others: chain, ...ci(fbc.replace('true', 'false')) },
    ['error submission-graph ', 'warning submission-ci-graph updateGraph'],
  ],
  [
    'reviewers without a name',
    nothing,
    ci('reviewers: []\nupdateGraph: replaces-mode\n'),
    ['error submission-ci reviewers', 'warning submission-ci-reviewers reviewers'],
  ],
  [
    'invalid catalogs',
    nothing,
    ci('reviewers: [jo]\nupdateGraph: replaces-mode\nfbc: latest\n'),
    ['error submission-ci fbc'],
  ],
  [
    'invalid templates',
    nothing,
    ci('reviewers: [jo]\nfbc: { enabled: true, catalog_mapping: { a: b } }\n'),
    ['error submission-ci fbc.catalog_mapping'],
  ],
  ['a ci.yaml that is not a mapping', nothing, ci('- a\n'), ['error submission-ci ']],
  ['no YAML', nothing, ci('a: ['), ['error submission-ci ']],
  [
    'an empty ci.yaml',
    nothing,
    ci(''),
    ['warning submission-ci-graph updateGraph', 'warning submission-ci-reviewers reviewers'],
  ],
  [
    'values that the pipeline does not know',
    nothing,
    ci(
      'reviewers: [1]\nupdateGraph: replaces\nmerge: 1\nfbc: { enabled: 1, x: 1, version_promotion_strategy: a }\n',
    ),
    [
      'error submission-ci updateGraph',
      'error submission-ci reviewers.0',
      'error submission-ci merge',
      'error submission-ci fbc.x',
      'error submission-ci fbc.enabled',
      'error submission-ci fbc.version_promotion_strategy',
    ],
  ],
  [
    'templates without required fields',
    nothing,
    ci('reviewers: [jo]\nfbc: { enabled: true, catalog_mapping: [{ type: a }, 1] }\n'),
    [
      'error submission-ci fbc.catalog_mapping.0.template_name',
      'error submission-ci fbc.catalog_mapping.0.type',
      'error submission-ci fbc.catalog_mapping.0.catalog_names',
      'error submission-ci fbc.catalog_mapping.1',
    ],
  ],
  [
    'a catalog in two templates',
    nothing,
    ci(
      `reviewers: [jo]\nfbc:\n  enabled: true\n  catalog_mapping:\n${['a', 'b']
        .map((name) => `  - { template_name: ${name}, type: olm.semver, catalog_names: [v4.14] }\n`)
        .join('')}`,
    ),
    ['error submission-ci-catalog fbc.catalog_mapping.1.catalog_names.0'],
  ],
];

function policy() {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: {} },
  };
}

test.each(rows)('%s', (_, change, more, expected) => {
  const given = submittable();
  change(given);
  expect(collectFindings(given, more)).toEqual(expected);
});

test('findings of the suites are reported too', () => {
  const given = submittable();
  given.csv.spec.icon = [{ base64data: '', mediatype: 'image/webp' }];
  given.csv.metadata.annotations.categories = 'Cache';
  const all = collectFindings(given);
  expect(all.some((one) => one.startsWith('error icon'))).toBe(true);
  expect(all).toContain('error categories metadata.annotations.categories');
});

test('the faults of a channel that was invalid before are not reported', () => {
  const others = [published('1.2.1'), published('1.2.2')];
  expect(collectFindings(submittable(), { others })).toEqual([]);
});

test('a version that is there must be the same', () => {
  const { files } = submit(submittable());
  expect(submit(submittable(), { published: files })).toMatchObject({
    isPublished: true,
    findings: [],
  });
  const changed = submittable();
  changed.csv.spec.description = 'Runs Redis otherwise than before.';
  changed.files['tests/scorecard/config.yaml'] = 'a: 1\n';
  const { findings, isPublished } = submit(changed, { published: files });
  expect(isPublished).toBe(false);
  expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
    [
      'submission-published',
      'must be as it is published, got another bundle.Dockerfile, manifests/redis-operator.clusterserviceversion.yaml, tests/scorecard/config.yaml: raise the version',
    ],
  ]);
});

test('with a file-based catalog the pipeline gets the place of the version', () => {
  const given = submittable();
  given.annotations['channels.v1'] = 'stable, candidate,nightly';
  given.csv.spec.replaces = 'redis-operator.v1.2.2';
  given.csv.spec.skips = ['redis-operator.v1.2.1'];
  given.csv.metadata.annotations['olm.skipRange'] = '<1.2.0';
  const { files, ci: text } = submit(given, { catalogs: ['latest'] });
  expect(text).toBe(`reviewers:
- jo
fbc:
  enabled: true
  catalog_mapping:
  - template_name: basic.yaml
    catalog_names:
    - latest
    type: olm.template.basic
`);
  expect(readCiConfig(text ?? '').findings).toEqual([]);
  expect(texts(files)['release-config.yaml']).toBe(`catalog_templates:
- template_name: basic.yaml
  channels:
  - stable
  - candidate
  - nightly
  defaultChannel: stable
  replaces: redis-operator.v1.2.2
  skips:
  - redis-operator.v1.2.1
  skipRange: <1.2.0
`);
  const semver = ci(
    'reviewers: [jo]\nfbc: { enabled: true, catalog_mapping: [{ template_name: s.yaml, type: olm.semver, catalog_names: [latest] }] }\n',
  );
  expect(texts(submit(given, semver).files)['release-config.yaml']).toBe(`catalog_templates:
- template_name: s.yaml
  channels:
  - Stable
  - Candidate
  defaultChannel: Stable
`);
  given.files['release-config.yaml'] = 'merge: false\n';
  expect(texts(submit(given, semver).files)['release-config.yaml']).toBe('merge: false\n');
});

test.each([
  ['../../etc', '1.2.3', 'submission-package'],
  ['Redis', '1.2.3', 'submission-package'],
  ['', '1.2.3', 'submission-package'],
  ['redis', '../1.2.3', 'submission-version'],
  ['redis', 'v1.2.3', 'submission-version'],
  ['redis', '', 'submission-version'],
])('package %j and version %j are invalid names of a folder', (name, version, rule) => {
  const given = submittable();
  given.annotations['package.v1'] = name;
  given.csv.spec.version = version;
  const { findings = [] } = resolveSubmissionTarget(bundleOf(given));
  const [file, path] =
    rule === 'submission-version'
      ? ['manifests/redis-operator.clusterserviceversion.yaml', 'spec.version']
      : [
          'metadata/annotations.yaml',
          'annotations.operators.operatorframework.io.bundle.package.v1',
        ];
  expect(findings.map((one) => [one.rule, one.file, one.path.join('.')])).toEqual([
    [rule, file, path],
  ]);
});

test('a valid bundle has its folder', () => {
  expect(resolveSubmissionTarget(bundleOf(submittable()))).toEqual({
    packageName: 'redis-operator',
    version: '1.2.3',
  });
});

test('a template for other channels of the bundle is not reported', () => {
  const given = submittable();
  given.annotations['channels.v1'] = 'nightly';
  const { files } = submit(given, {
    ...ci(
      'reviewers: [jo]\nfbc: { enabled: true, catalog_mapping: [{ template_name: s.yaml, type: olm.semver, catalog_names: [latest] }] }\n',
    ),
  });
  expect(files.map(({ path }) => path)).not.toContain('release-config.yaml');
  expect(files.map(({ path }) => path)).toEqual(files.map(({ path }) => path).toSorted());
});

test('the release-config of a bundle contains only what the bundle declares', () => {
  const given = submittable();
  delete given.annotations['channel.default.v1'];
  given.annotations['channels.v1'] = 'stable,';
  const { files } = submit(given, { catalogs: ['latest'] });
  expect(texts(files)['release-config.yaml']).toBe(
    'catalog_templates:\n- template_name: basic.yaml\n  channels:\n  - stable\n',
  );
});

test('findings have their file, and the document in it', () => {
  const given = submittable();
  given.csv.spec.links = [];
  given.files['manifests/n.yaml'] = policy();
  const { findings } = submit(given, { repository: 'openshift' });
  expect(findings.map(({ rule, file, document }) => [rule, file, document])).toEqual([
    ['submission-required', 'manifests/redis-operator.clusterserviceversion.yaml', 0],
    ['submission-network-policy', 'manifests/n.yaml', 0],
  ]);
});

test('each rule of submissions is reported by a test', () => {
  const reportedRules = rows.flatMap(([, change, more]) => {
    const given = submittable();
    change(given);
    return collectFindings(given, more).map((one) => one.split(' ')[1]!);
  });
  const others = [
    'submission-package',
    'submission-version',
    'submission-published',
    'submission-dockerfile',
  ];
  const ids = Object.values(submissionRules).map(({ id }) => id);
  expect(
    [...new Set([...reportedRules, ...others])]
      .filter((id) => id.startsWith('submission'))
      .toSorted(),
  ).toEqual(ids.toSorted());
});
