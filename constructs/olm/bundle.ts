import { Construct } from 'constructs';
import type { Finding } from '../../kube/finding.ts';
import { formatFinding } from '../../kube/finding.ts';
import { WARNING } from '../../kube/output.ts';
import type { Bundle as BundleModel, BundleFinding } from '../../olm/bundle/bundle.ts';
import { parseBundle } from '../../olm/bundle/parse.ts';
import { checkPermissions } from '../../olm/rules/practices/permissions.ts';
import { validateBundle, type Suite } from '../../olm/rules/validate-bundle.ts';
import { addErrorValidation } from '../error-validation.ts';
import { addArtifacts, validateArtifactApp } from './artifacts.ts';
import { renderBundleFiles, type BundleText } from './bundle/files.ts';
import { validateBundleProps } from './bundle/findings.ts';
import { bundleName, packageName, versionOf } from './bundle/named.ts';
import type { BundleProps } from './bundle/props.ts';

/**
 * A version of an operator as OLM installs it (registry+v1): a ClusterServiceVersion, the definitions,
 * and what stands around the Deployment, with the metadata and the Dockerfile of its image. Deployment,
 * rights and webhooks are those of the `Operator`; examples and descriptors come from the schemas of its
 * kinds. What OLM makes itself is left out: the Namespace, the ServiceAccount, roles, certificates.
 *
 * The files are written to `olm/bundle/<version>/` of the output, the same bytes for the same props.
 * They are held to the rules of `tenantry bundle validate` when the app is synthesized. Besides, it is warned of
 * rights to the operator's own namespace that OLM makes rights to all of them.
 *
 * @example
 * ```ts
 * import { App, Bundle } from 'tenantry';
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
  /** The name of the ClusterServiceVersion, by which channels and `replaces` name the bundle. */
  readonly bundleName: string;
  readonly packageName: string;
  /** Where it is written, from the output folder. */
  readonly folder: string;
  /**
   * Whether something is wrong with it, which is told when the tree is validated.
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
   * Path, from the root of the bundle, and text of every file, sorted by path.
   * @throws {InvalidInput} with all that is wrong with the operator
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

  /** What cannot be said in a bundle comes alone: of what is made besides, nothing is known then. */
  #findings(): { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] } {
    const errors = validateBundleProps(this.#props);
    if (errors.length > 0) return { errors, warnings: [] };
    const { suite = 'default', accepts = [] } = this.#props;
    const findings = [...validateBundle(this.model, { suite }), ...this.#unasked(suite)].map(
      toBundleFinding,
    );
    const isError = ({ severity, rule }: Finding): boolean =>
      severity === 'error' && !accepts.includes(rule);
    return {
      errors: findings.filter(isError),
      warnings: findings.filter((finding) => !isError(finding)),
    };
  }

  /** Rights that are more than they look are warned of, though only one suite asks. */
  #unasked(suite: Suite): readonly BundleFinding[] {
    const { csv } = this.model;
    return csv && suite !== 'good-practices' ? checkPermissions(csv) : [];
  }
}

/** A finding of a file, said of the bundle. */
function toBundleFinding({ file, path, ...finding }: BundleFinding): Finding {
  return { ...finding, path: file === undefined ? path : [file, ...path] };
}
