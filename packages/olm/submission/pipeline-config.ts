import { errorAt, type Finding } from '@tenantry/kube/finding';
import { isMapping, entryOf } from '@tenantry/kube/mapping';
import { show, type Path } from '@tenantry/kube/problem';
import { readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { UpdateGraph } from '../catalog/render-catalog.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { submissionRules as rules } from './rules.ts';

/** A template of a file-based catalog, and the catalogs that are rendered from it. */
interface CatalogTemplate {
  readonly name: string;
  readonly type: string;
  readonly catalogs: readonly string[];
}

/** The contents of a package's `ci.yaml`. */
export interface CiConfig {
  readonly graph: UpdateGraph;
  /** Absent if the pipeline builds the catalog from the bundles. */
  readonly templates?: readonly CatalogTemplate[];
  readonly findings: readonly Finding[];
  /** The positions in the document; absent if it is not YAML. */
  readonly document?: YamlDocument;
}

/** The settings of a new `ci.yaml`. */
export interface NewCiConfig {
  /** GitHub user names. */
  readonly reviewers: readonly string[];
  readonly graph: UpdateGraph;
  /** The catalogs of a file-based catalog. @default - the pipeline builds one from the bundles */
  readonly catalogs?: readonly string[];
}

const modes = { replaces: 'replaces-mode', semver: 'semver-mode' } as const;
const TYPES = ['olm.template.basic', 'olm.semver'];
const PROMOTIONS = ['review-needed', 'always', 'never'];

/** Renders the text of a `ci.yaml`. */
export function renderCiConfig({ reviewers, graph, catalogs }: NewCiConfig): string {
  const template = { template_name: 'basic.yaml', catalog_names: catalogs, type: TYPES[0] };
  const config = {
    ...(reviewers.length > 0 && { reviewers }),
    ...(catalogs
      ? { fbc: { enabled: true, catalog_mapping: [template] } }
      : { updateGraph: modes[graph] }),
  };
  return emitYaml([config]);
}

/**
 * Reads `ci.yaml` and reports the errors and warnings of the pipeline.
 *
 * Source: https://github.com/redhat-openshift-ecosystem/operator-pipelines/blob/main/operatorcert/schemas/ci-schema.json
 */
export function readCiConfig(text: string): CiConfig {
  const { documents, problems } = readDocuments(text);
  const [problem] = problems;
  const [document] = documents;
  if (problem) {
    const place = `${problem.line}:${problem.column}`;
    const finding = errorAt([], `${problem.message} (at ${place})`, rules.ci.id);
    return { graph: 'replaces', findings: [finding] };
  }
  const value = document?.value ?? {};
  if (!isMapping(value)) {
    const finding = errorAt([], `must be a mapping, got ${show(value)}`, rules.ci.id);
    return { graph: 'replaces', findings: [finding], ...(document && { document }) };
  }
  const reading = new CiConfigReader();
  const { updateGraph, reviewers, merge, fbc } = value;
  const isFbc = isMapping(fbc) && fbc['enabled'] === true;
  reading.word(['updateGraph'], updateGraph, Object.values(modes));
  reading.texts(['reviewers'], reviewers);
  if (merge !== undefined) reading.flag(['merge'], merge);
  const templates = fbc === undefined ? [] : reading.fbc(fbc);
  if (!isFbc && updateGraph === undefined) {
    reading.warn(
      ['updateGraph'],
      rules.ciGraph.id,
      "must be set, got nothing: 'replaces-mode' is the default",
    );
  }
  if (!Array.isArray(reviewers) || reviewers.length === 0) {
    const message = 'must name a GitHub user, got none: no pull request is merged automatically';
    reading.warn(['reviewers'], rules.ciReviewers.id, message);
  }
  return {
    graph: updateGraph === modes.semver ? 'semver' : 'replaces',
    ...(isFbc && { templates }),
    findings: reading.findings,
    ...(document && { document }),
  };
}

/** Collects the findings about the fields. */
class CiConfigReader {
  readonly findings: Finding[] = [];

  warn(path: Path, rule: string, message: string): void {
    this.findings.push({ path, message, rule, severity: 'warning' });
  }

  #wrong(path: Path, must: string, value: unknown): void {
    this.findings.push(errorAt(path, `must be ${must}, got ${show(value)}`, rules.ci.id));
  }

  word(path: Path, value: unknown, words: readonly string[]): void {
    if (value === undefined || words.some((word) => word === value)) return;
    this.#wrong(path, `one of ${words.join(', ')}`, value);
  }

  flag(path: Path, value: unknown): void {
    if (typeof value !== 'boolean') this.#wrong(path, 'true or false', value);
  }

  text(path: Path, value: unknown): string {
    if (typeof value === 'string') return value;
    this.#wrong(path, 'a string', value);
    return '';
  }

  texts(path: Path, value: unknown): string[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length > 0) {
      return value.map((one: unknown, i) => this.text([...path, i], one));
    }
    this.#wrong(path, 'a list with entries', value);
    return [];
  }

  fbc(value: unknown): CatalogTemplate[] {
    if (!isMapping(value)) {
      this.#wrong(['fbc'], 'a mapping', value);
      return [];
    }
    const known = ['enabled', 'version_promotion_strategy', 'catalog_mapping'];
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const message = `must be one of ${known.join(', ')}, got ${show(key)}`;
      this.findings.push({ ...errorAt(['fbc', key], message, rules.ci.id), atKey: true });
    }
    const { enabled, version_promotion_strategy: promotion, catalog_mapping: mapping } = value;
    if (enabled !== undefined) this.flag(['fbc', 'enabled'], enabled);
    this.word(['fbc', 'version_promotion_strategy'], promotion, PROMOTIONS);
    if (mapping === undefined) return [];
    if (Array.isArray(mapping)) return this.#templates(mapping);
    this.#wrong(['fbc', 'catalog_mapping'], 'a list', mapping);
    return [];
  }

  #templates(mapping: readonly unknown[]): CatalogTemplate[] {
    const owners = new Map<string, string>();
    return mapping.flatMap((value, i) => {
      const path = ['fbc', 'catalog_mapping', i];
      if (!isMapping(value)) {
        this.#wrong(path, 'a mapping', value);
        return [];
      }
      const name = this.text([...path, 'template_name'], value['template_name']);
      const type = this.text([...path, 'type'], value['type']);
      if (type !== '') this.word([...path, 'type'], type, TYPES);
      const listed = value['catalog_names'] ?? null;
      const catalogs = this.texts([...path, 'catalog_names'], listed);
      for (const [j, catalog] of catalogs.entries()) {
        const owner = owners.get(catalog);
        if (owner === undefined) owners.set(catalog, name);
        else {
          const message = `must be in one template, got ${show(catalog)} in ${show(owner)}, too`;
          this.findings.push(errorAt([...path, 'catalog_names', j], message, rules.ciCatalog.id));
        }
      }
      return [{ name, type, catalogs }];
    });
  }
}

const PREFIX = 'operators.operatorframework.io.bundle.';

/** The channels of a template of type `olm.semver`, by their names in bundles. */
const semverChannels: ReadonlyMap<string, string> = new Map([
  ['candidate', 'Candidate'],
  ['fast', 'Fast'],
  ['stable', 'Stable'],
]);

/**
 * Renders the `release-config.yaml` of a version, with which the pipeline adds the version to the templates of the
 * catalog. Returns undefined if no template has a channel of the bundle.
 *
 * Source: https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/fbc_autorelease/
 */
export function releaseConfigText(
  { csv, annotations }: Bundle,
  templates: readonly CatalogTemplate[],
): string | undefined {
  const { metadata = {}, spec = {} } = csv?.value ?? {};
  const readBundleAnnotation = (name: string): string =>
    entryOf(annotations.values, `${PREFIX}${name}`) ?? '';
  const named = readBundleAnnotation('channels.v1').split(',');
  const channels = [...new Set(named.map((one) => one.trim()))].filter(Boolean);
  const defaultChannel = readBundleAnnotation('channel.default.v1');
  const skipRange = entryOf(metadata.annotations, 'olm.skipRange') ?? '';
  const entries = templates.map(({ name, type }) => {
    if (type === 'olm.semver') {
      const known = channels.flatMap((one) => semverChannels.get(one) ?? []);
      const first = semverChannels.get(defaultChannel);
      return { template_name: name, channels: known, ...(first && { defaultChannel: first }) };
    }
    const { replaces = '', skips = [] } = spec;
    return {
      template_name: name,
      channels,
      ...(defaultChannel !== '' && { defaultChannel }),
      ...(replaces !== '' && { replaces }),
      ...(skips.length > 0 && { skips: [...new Set(skips)] }),
      ...(skipRange !== '' && { skipRange }),
    };
  });
  const withChannels = entries.filter((entry) => entry.channels.length > 0);
  return withChannels.length === 0 ? undefined : emitYaml([{ catalog_templates: withChannels }]);
}
