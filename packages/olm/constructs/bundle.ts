import { Construct } from 'constructs';
import { formatFinding, errorAt, type Finding } from '@tenantry/kube/finding';
import {
  WARNING,
  ARTIFACTS,
  WRITES_ARTIFACTS,
  type Artifact,
  type ConstructArtifacts,
} from '@tenantry/kube/construct-metadata';
import type { Bundle as BundleModel, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle } from '../bundle/parse.ts';
import { checkPermissions } from '../rules/permissions.ts';
import { validateBundle, type Suite } from '../rules/validate-bundle.ts';
import { addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { renderBundleFiles, type BundleText } from './bundle/files.ts';
import { validateBundleProps } from './bundle/findings.ts';
import { bundleName, packageName, versionOf, type BundleProps } from './bundle/props.ts';

/**
 * A version of an operator as OLM installs it (registry+v1). It contains a ClusterServiceVersion,
 * the definitions, the objects that support the Deployment, the metadata and the Dockerfile of the
 * image.
 *
 * Deployment, rights and webhooks are those of `Operator`. Examples and descriptors come from the
 * schemas of its kinds. Objects that OLM creates itself are left out: the Namespace, the
 * ServiceAccount, roles and certificates.
 *
 * The files are written to `olm/bundle/<version>/` of the output: the same bytes for the same
 * props. The rules of `tenantry bundle validate` are checked when the app is synthesized. Another
 * check warns about rights in the operator's own namespace that OLM grants in all namespaces.
 *
 * @example
 * ```ts
 * import { App } from 'tenantry';
 * import { Bundle } from '@tenantry/olm/constructs';
 * import { redis } from './redis.ts';
 *
 * const app = new App();
 * const bundle = new Bundle(app, 'bundle', {
 *   operator: {
 *     name: 'redis-operator',
 *     version: '1.0.0',
 *     image: 'registry.example.com/redis-operator:1.0.0',
 *     owned: [redis],
 *     access: [{ group: '', resource: 'pods', verbs: ['list', 'watch', 'create', 'delete'] }],
 *   },
 *   displayName: 'Redis Operator',
 *   description: 'Runs caches.',
 *   channels: ['stable'],
 *   minKubeVersion: '1.30.0',
 *   provider: { name: 'Example' },
 *   maintainers: [{ name: 'Caches', email: 'caches@example.com' }],
 * });
 * app.synth(); // dist/olm/bundle/1.0.0/...
 * console.log(bundle.bundleName); // redis-operator.v1.0.0
 * ```
 */
export class Bundle extends Construct {
  /** The name of the ClusterServiceVersion, which channels and `replaces` refer to. */
  readonly bundleName: string;
  readonly packageName: string;
  /** The folder of the files, relative to the output folder. */
  readonly folder: string;
  /**
   * Whether the bundle has errors, which are reported when the tree is validated.
   * @internal
   */
  readonly isRefused: boolean;
  readonly #props: BundleProps;
  #files: readonly BundleText[] | undefined;
  #model: BundleModel | undefined;

  constructor(scope: Construct, id: string, props: BundleProps) {
    super(scope, id);
    this.#props = props;
    this.bundleName = bundleName(props);
    this.packageName = packageName(props);
    this.folder = props.folder ?? `olm/bundle/${versionOf(props).replaceAll('+', '-')}`;
    const found = this.#findings();
    this.isRefused = found.errors.length > 0;
    addErrorValidation(this, Bundle, () => [...found.errors, ...validateArtifactApp(this)]);
    for (const warning of found.warnings) this.node.addMetadata(WARNING, formatFinding(warning));
    addArtifacts(this, () =>
      this.files.map(({ path, text }) => ({ path: `${this.folder}/${path}`, text })),
    );
  }

  /**
   * The path and text of every file, sorted by path. Paths are relative to the root of the bundle.
   * @throws {InvalidInput} with all errors of the operator
   */
  get files(): readonly BundleText[] {
    return (this.#files ??= renderBundleFiles(this.#props));
  }

  /**
   * The bundle as it is read from its files.
   * @internal
   */
  get model(): BundleModel {
    const encoder = new TextEncoder();
    const files = this.files.map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
    return (this.#model ??= parseBundle({ files }));
  }

  /**
   * Returns the errors and warnings. Reports only the errors of the props if there are any, because
   * then no files can be rendered.
   */
  #findings(): { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] } {
    const errors = validateBundleProps(this.#props);
    if (errors.length > 0) return { errors, warnings: [] };
    const { suite = 'default', accepts = [] } = this.#props;
    const findings = [
      ...validateBundle(this.model, { suite }),
      ...this.#checkWidePermissions(suite),
    ].map(toBundleFinding);
    const isError = ({ severity, rule }: Finding): boolean =>
      severity === 'error' && !accepts.includes(rule);
    return {
      errors: findings.filter(isError),
      warnings: findings.filter((finding) => !isError(finding)),
    };
  }

  /** Warns about rights that are wider than they look, although only one suite contains that rule. */
  #checkWidePermissions(suite: Suite): readonly BundleFinding[] {
    const { csv } = this.model;
    return csv && suite !== 'good-practices' ? checkPermissions(csv) : [];
  }
}

/** Converts a finding of a file into a finding of the bundle. */
function toBundleFinding({ file, path, ...finding }: BundleFinding): Finding {
  return { ...finding, path: file === undefined ? path : [file, ...path] };
}

/** Adds files to the output of the app that contains a construct. */
export function addArtifacts(construct: Construct, artifacts: () => readonly Artifact[]): void {
  const given: ConstructArtifacts = { artifacts };
  construct.node.addMetadata(ARTIFACTS, given);
}

/**
 * Requires the App of Tenantry: the one of cdk8s only writes manifests, and would silently leave
 * out the other files.
 */
export function validateArtifactApp(construct: Construct): readonly Finding[] {
  if (WRITES_ARTIFACTS in construct.node.root) return [];
  const message = "must be in an App of 'tenantry', got another one, which writes manifests alone";
  return [errorAt([], message, 'artifacts')];
}
