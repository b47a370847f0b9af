import { valueAt } from '@tenantry/kube/mapping';
import { formatPath } from '@tenantry/kube/problem';
import type { Bundle, BundleFinding } from '../../bundle/bundle.ts';

/** A finding in normalized form: `service-account redis`, `definition-scope spec.scope`. */
export type NormalizedFinding = string;

type Row = readonly [
  pattern: RegExp,
  normalize: (...groups: string[]) => readonly NormalizedFinding[],
];

/** Upstream's names of paths, which follow Go's fields, with the paths in the manifest. */
const required: Readonly<Record<string, string>> = {
  TypeMeta: 'kind',
  ObjectMeta: 'metadata',
  Spec: 'spec',
  'Spec.DisplayName': 'spec.displayName',
  'Spec.InstallStrategy': 'spec.install',
  'Spec.InstallStrategy.StrategyName': 'spec.install.strategy',
  'Spec.InstallStrategy.StrategySpec.DeploymentSpecs': 'spec.install.spec.deployments',
};

const one = (rule: string) => (): readonly NormalizedFinding[] => [rule];
const of =
  (rule: string) =>
  (subject: string): readonly NormalizedFinding[] => [`${rule} ${subject}`];

/** Upstream's messages about a ClusterServiceVersion, `(<its name>) ...`. */
const versionRows: readonly Row[] = [
  [/^metadata\.name "/, one('csv-name')],
  [/^spec\.replaces "/, one('csv-replaces')],
  [/^annotations not found$/, one('csv-annotations')],
  [/^example annotations not found$/, one('examples')],
  [/^both `alm-examples`/, one('examples-once')],
  [/^install modes not found$/, one('install-modes')],
  [/^none of InstallModeTypes are supported$/, one('install-mode-supported')],
  [/^only AllNamespaces InstallModeType/, one('install-mode-conversion')],
  [/^csv\.Spec\.minKubeVersion is not informed/, one('min-kube-version')],
  [/^csv\.Spec\.MinKubeVersion has an invalid value/, one('min-kube-version-format')],
  [/^'apiVersion' is missing$/, one('csv-api-version')],
  [/^'kind' is missing$/, one('csv-kind')],
  [/^csv\.Spec\.Provider\.Name not specified$/, one('provider-name')],
  [/^csv\.Spec\.Maintainers elements/, one('maintainer')],
  [/^csv\.Spec\.Maintainers email (.*?) is invalid: /s, of('maintainer-email')],
  [/^csv\.Spec\.Links elements/, one('link')],
  [/^csv\.Spec\.Links url (.*?) is invalid: /s, of('link-url')],
  [/^csv\.Spec\.Version must be set$/, one('version')],
  [/^csv\.Spec\.Icon not specified$/, one('icon')],
  [/^csv\.Spec\.Icon should only have one element$/, one('icon-one')],
  [/^csv\.Spec\.Icon elements/, one('icon-content')],
  [/^csv\.Spec\.Icon .* does not have a valid mediatype$/, one('icon-media-type')],
  [/^csv\.Metadata\.Annotations\.Capabilities/, one('capabilities')],
  [/^csv\.Metadata\.Annotations\["categories"\] value "(.*)" is not/, of('categories')],
];

/** Upstream's messages about a value: `<value>: <what>`. */
const valueRows: readonly Row[] = [
  [/^.*: invalid example$/s, one('examples-json')],
  [/^.*: error decoding example CustomResource$/s, one('examples-objects')],
  [/^.*couldn't parse plural\.group from crd name: (.*)$/s, of('owned-name')],
  [/^(.*): example must have a provided API$/, of('example-owned')],
  [/^(.*): provided API should have an example annotation$/, of('example-missing')],
  [/^.*: provided annotation (\S+) uses wrong case/, of('annotation-case')],
  [/found olm\.properties annotation/, one('properties-annotation')],
  [/^(.*): duplicate CRD "/, of('definition-unique')],
  [/^(.*): owned CRD ".*" not found in bundle/, of('owned-definition')],
  [/^(.*): CRD ".*" is present in bundle ".*" but not defined/, of('definition-owned')],
  [/^(.*): invalid service account found in bundle\./, of('service-account')],
  [/maximum bundle compressed size with gzip size exceeded/, one('compressed-size')],
  [/nearing maximum bundle compressed size/, one('compressed-size-near')],
  [/^(spec\.relatedImages\[\d+\]\.image): relatedImages/, of('related-image')],
  [/bundle name with release versioning/, one('release-name')],
  [/: unable to use csv\.Spec\.MinKubeVersion to verify/, one('min-kube-version-removed')],
  [
    /removed in v(1\.\d+)\. .*Migrate the API\(s\) for (.*)$/s,
    (version, uses) => usesIn(version!, uses!),
  ],
  // The new name of OperatorHub's validator is not about the bundle.
  [/^: The "operatorhub" validator is deprecated/, () => []],
];

/** Parses `CronJob: (["a" "b"]),Role: (["c"])`. */
function usesIn(version: string, uses: string): NormalizedFinding[] {
  return [...uses.matchAll(/(\w+): \(\[(.*?)\]\)/g)].flatMap(([, kind, names]) =>
    [...names!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
      ([, name]) => `removed-api ${version} ${kind} ${placeNamed(name!)}`,
    ),
  );
}

/**
 * Normalizes a name. `ClusterServiceVersion.Spec.CustomResourceDefinitions.Owned[2].Resource[0]` is a place, not a
 * name.
 */
function placeNamed(name: string): string {
  return name
    .replace(
      /^ClusterServiceVersion\.Spec\.CustomResourceDefinitions\.(\w+)\[(\d+)\]\.Resource/,
      (_, list, i) =>
        `spec.customresourcedefinitions.${String(list).toLowerCase()}[${i}].resources`,
    )
    .replace(
      'ClusterServiceVersion.Spec.InstallStrategy.StrategySpec.ClusterPermissions',
      'spec.install.spec.clusterPermissions',
    )
    .replace(
      'ClusterServiceVersion.Spec.InstallStrategy.StrategySpec.Permissions',
      'spec.install.spec.permissions',
    )
    .replace('.Rules[', '.rules[');
}

/** Normalizes a line of a verdict; undefined for an unknown line. */
export function normalizeLine(line: string): readonly NormalizedFinding[] | undefined {
  const text = line.replaceAll('\\"', '"');
  const severity = text.startsWith('Warning') ? 'warning' : 'error';
  const findings = normalizeText(text.replace(/^(?:Error|Warning): /, ''));
  return findings?.map((what) => `${severity} ${what}`);
}

function normalizeText(text: string): readonly NormalizedFinding[] | undefined {
  const [, field, detail] = /^Field (\S+?)(?:, Value .*?)?: (.*)$/s.exec(text) ?? [];
  if (field !== undefined) {
    if (detail === 'required field missing') return [`required-field ${required[field] ?? field}`];
    return [`definition ${field}`];
  }
  const value = text.replace(/^Value /, '');
  const version = /^: \(.*?\) (.*)$/s.exec(value)?.[1];
  const rows = version === undefined ? valueRows : versionRows;
  for (const [pattern, normalize] of rows) {
    const match = pattern.exec(version ?? value);
    if (match) return normalize(...match.slice(1));
  }
  return undefined;
}

/** Normalizes a finding to the same form. */
export function normalizeFinding(bundle: Bundle, finding: BundleFinding): NormalizedFinding {
  const { rule, severity, path, file, document = 0 } = finding;
  const at = formatPath(path);
  const manifest = bundle.manifests.find((one) => one.file === file && one.index === document);
  const value = (from = path): string => String(valueAt(manifest?.value, from));
  const got = /got (.*)$/s.exec(finding.message)?.[1] ?? '';
  const subject = (): string => {
    switch (rule) {
      case 'maintainer-email':
      case 'link-url':
      case 'service-account':
      case 'owned-name':
        return ` ${value()}`;
      case 'categories':
        return ` ${got.replace(/; did you mean .*$/, '').replaceAll("'", '')}`;
      case 'annotation-case':
        return ` ${String(path.at(-1))}`;
      case 'example-owned':
      case 'example-missing':
      case 'definition-unique':
      case 'definition-owned':
      case 'owned-definition':
        return ` ${/\S+, Kind=\w*/.exec(got)?.[0]}`;
      case 'related-image':
      case 'required-field':
        return ` ${at}`;
      default:
        return '';
    }
  };
  if (rule.startsWith('removed-api')) return `${severity} ${usedIn(finding, manifest?.name ?? '')}`;
  if (/^definition-(?!unique|owned)/.test(rule)) return `${severity} definition ${fieldAt(path)}`;
  return `${severity} ${rule}${subject()}`;
}

function usedIn({ message, path }: BundleFinding, name: string): NormalizedFinding {
  const [, version, kind] = /Kubernetes (\S+) has, got (\w+) of/.exec(message) ?? [];
  const isRight = path[0] === 'spec' && path[1] === 'install';
  const shown =
    kind === 'CustomResourceDefinition' ? 'CRD' : isRight ? 'podsecuritypolicies' : kind;
  return `removed-api ${version} ${shown} ${path[0] === 'spec' ? formatPath(path) : name}`;
}

/** Formats a path as the API server does: keys of annotations in brackets, list items of metadata not at all. */
function fieldAt(path: BundleFinding['path']): string {
  const [root, map, key] = path;
  if (root === 'metadata' && map === 'annotations' && key === 'api-approved.kubernetes.io') {
    return `metadata.annotations[${key}]`;
  }
  if (root === 'metadata') return ['metadata', map].join('.');
  return formatPath(path);
}
