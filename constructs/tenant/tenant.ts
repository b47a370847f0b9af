import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { OUTPUT_PATH, WARNING, type OutputPaths } from '@tenantry/kube/construct-metadata';
import { groupArgoCDFiles, layout, choosePart, PARTS, type Part } from '../../model/layout.ts';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { identityOfNames, groupOf, type KubeObject } from '@tenantry/kube/object';
import { isSecret, redactMessage } from '@tenantry/kube/secret';
import { tenant as kind, type TenantSpec } from '../../crds/tenant.ts';
import { markValid } from '../../crds/declared-kind.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { APP_OBJECTS, formatAppObjects } from '../../model/app-objects.ts';
import { toTenantObject } from '../../model/declared-objects.ts';
import type { Platform, TenantDeclaration } from '../../model/declaration.ts';
import { ownerLabels } from '../../model/ownership.ts';
import { toSchemaFinding, addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { toStoredForm } from '../../model/stored-form.ts';
import { getFleet } from './scope.ts';
import { UnknownNames } from '../../model/unknown-names.ts';

/** The spec of a Tenant, and its name. */
export interface TenantProps extends TenantSpec {
  /** @default - the construct's id */
  readonly name?: string;
  /** Labels and annotations of the Tenant itself. @default - none */
  readonly metadata?: Pick<TenantDeclaration, 'labels' | 'annotations'>;
}

/**
 * One namespace of a tenant on one cluster. A construct of cdk8s or cdk8s-plus that is created in it is rendered into
 * the namespace and into the files of the tenant, with the tenant's labels. Its kind decides the file: Roles and
 * RoleBindings go to `rbac/`, objects that bound the namespace go beside the Namespace, the rest goes to `resources/`.
 *
 * @example
 * ```ts
 * import { App, Tenant } from 'tenantry';
 *
 * const payments = new Tenant(new App(), 'payments');
 * const namespace = payments.namespace('payments');
 * console.log(namespace.namespaceName, namespace.cluster); // payments in-cluster
 * ```
 */
export class TenantNamespace extends Chart {
  readonly namespaceName: string;
  readonly cluster: string;

  constructor(scope: Construct, tenant: string, namespace: string, cluster: string) {
    super(scope, `${cluster}/${namespace}`.replaceAll('/', ':'), {
      namespace,
      labels: ownerLabels(tenant),
      disableResourceNameHashes: true,
    });
    this.namespaceName = namespace;
    this.cluster = cluster;
    const buildFileName = (part: Part): string =>
      layout.namespace(cluster, tenant, namespace, part);
    const [first, ...others] = PARTS;
    const paths: OutputPaths = {
      all: [buildFileName(first), ...others.map(buildFileName)],
      pathOf: (object) => buildFileName(choosePart(object)),
    };
    this.node.addMetadata(OUTPUT_PATH, paths);
    this.node.addValidation({
      validate: () => {
        this.#fillLists();
        return this.#strays();
      },
    });
  }

  /**
   * Completes the app's own objects as `resources` are completed. Validation runs when all objects exist and before any
   * is rendered, in every App.
   */
  #fillLists(): void {
    const { platform } = getFleet(this);
    for (const one of this.node.findAll()) {
      if (!ApiObject.isApiObject(one) || completeObjects.has(one)) continue;
      const written = tryRender(one);
      if (!written) continue;
      const filled = toStoredForm(written, platform);
      for (const key of Object.keys(written)) {
        if (filled[key] === written[key]) continue;
        const at = `/${key}`;
        one.addJsonPatch(
          Object.hasOwn(filled, key)
            ? JsonPatch.replace(at, sortKeys(filled[key]))
            : JsonPatch.remove(at),
        );
      }
    }
  }

  /** Lists the app's own objects that would be rendered to another namespace. */
  #strays(): string[] {
    const { kinds } = getFleet(this).platform;
    return this.node.findAll().flatMap((one) => {
      if (!ApiObject.isApiObject(one)) return [];
      const { apiGroup, kind, name, metadata } = one;
      if (apiGroup === 'core' && kind === 'Namespace' && name === this.namespaceName) return [];
      const group = apiGroup === 'core' ? '' : apiGroup;
      const scope = builtinScope(group, kind) ?? kinds.get(`${group}/${kind}`);
      if (scope !== 'Cluster' && metadata.namespace === this.namespaceName) return [];
      const got = scope === 'Cluster' ? 'a cluster-scoped' : `one in ${metadata.namespace}, the`;
      return [`[${one.node.path}] must lie in namespace ${this.namespaceName}, got ${got} ${kind}`];
    });
  }
}

/**
 * A tenant: its namespaces, and in them quota, limits, access, network policies and the rest, as its class and the
 * platform set them. It renders the same objects as a file in tenants/.
 *
 * All problems with the props are reported together when the app is synthesized. A tenant with an error has no objects.
 *
 * @example
 * ```ts
 * import { ConfigMap } from 'cdk8s-plus-28';
 * import { App, Tenant } from 'tenantry';
 *
 * const app = new App();
 * const payments = new Tenant(app, 'payments', {
 *   namespaces: [
 *     { name: 'payments-dev' },
 *     { name: 'payments-prod', quota: { hard: { pods: 50 } } },
 *   ],
 *   access: { admins: { groups: ['github:payments'] } },
 *   network: { isolation: 'SameTenant' },
 * });
 * new ConfigMap(payments.namespace('payments-prod'), 'settings', {
 *   metadata: { name: 'settings' },
 *   data: { currency: 'EUR' },
 * });
 * app.synth();
 * ```
 */
export class Tenant extends Construct {
  readonly tenantName: string;
  readonly #namespaces: TenantNamespace[] = [];
  /** The errors; warnings are not kept. */
  readonly #findings: readonly Finding[];

  constructor(scope: Construct, id: string, props: TenantProps = {}) {
    super(scope, id);
    const { name = id, metadata, ...spec } = props;
    this.tenantName = name;
    const declaration = { name, ...metadata, spec };
    this.#findings = this.#declare(declaration).filter(({ severity }) => severity === 'error');
    const fleet = getFleet(this);
    const unknown = UnknownNames.forFleet(fleet);
    unknown.record(name, this.#findings);
    addErrorValidation(this, new.target, () => {
      const unreported = this.#findings.filter(
        (one) => !fleet.classes.isReported(declaration, one),
      );
      return unknown.deduplicate(name, unreported).map(redactFinding);
    });
  }

  /** The namespaces, by cluster in the platform's order. */
  get namespaces(): readonly TenantNamespace[] {
    return [...this.#namespaces];
  }

  /**
   * Returns one of the namespaces.
   * @param cluster @default - the first cluster that has the namespace
   * @throws {Error} when the tenant has no such namespace, or has an error itself
   */
  namespace(name: string, cluster?: string): TenantNamespace {
    const found = this.#namespaces.find(
      (one) => one.namespaceName === name && (cluster ?? one.cluster) === one.cluster,
    );
    if (found) return found;
    if (this.#findings.length > 0) {
      const why = this.#findings.map(redactFinding).map(formatFinding).join('; ');
      throw new Error(`tenant ${this.tenantName} has no namespaces: ${why}`);
    }
    const known = this.#namespaces.map((one) => `${one.cluster}/${one.namespaceName}`).join(', ');
    throw new Error(`must be a namespace of tenant ${this.tenantName} (${known}), got '${name}'`);
  }

  #declare(declaration: TenantDeclaration): readonly Finding[] {
    const wrong = validate(kind.file, toTenantObject(declaration)).map(toSchemaFinding);
    if (wrong.length > 0) return wrong;
    markValid(kind, declaration.spec);
    const fleet = getFleet(this);
    const { tenant, clusters, namespaces, argocd, projects, findings } = fleet.add(
      declaration,
      `[${this.node.path}]`,
    );
    for (const finding of findings) {
      if (finding.severity === 'warning') this.node.addMetadata(WARNING, formatFinding(finding));
    }
    if (findings.some(({ severity }) => severity === 'error')) return findings;
    for (const cluster of clusters) {
      const chart = new Chart(this, cluster);
      chart.node.addMetadata(OUTPUT_PATH, layout.tenant(cluster, declaration.name));
      const object = new ApiObject(chart, 'tenant', tenant);
      // Validation runs when all objects exist, and before any is rendered.
      this.node.addValidation({ validate: () => this.#listAppObjects(cluster, object) });
    }
    const onArgoCD = new Map([
      ...groupArgoCDFiles(declaration.name, argocd),
      ...projects.map(
        ({ cluster, object }) =>
          [layout.argocd.projectFile(cluster, declaration.name), [object]] as const,
      ),
    ]);
    for (const [path, objects] of onArgoCD) {
      const chart = new Chart(this, path.replaceAll('/', ':'));
      chart.node.addMetadata(OUTPUT_PATH, path);
      for (const object of objects) {
        new ApiObject(chart, `${object.kind}:${object.metadata.name}`, object);
      }
    }
    for (const { name, cluster, objects } of namespaces) {
      const chart = new TenantNamespace(this, declaration.name, name, cluster);
      this.#namespaces.push(chart);
      for (const object of objects) {
        const { apiVersion, kind, metadata } = object;
        const own = new ApiObject(
          chart,
          `${apiVersion}:${kind}:${metadata.name}`.replaceAll('/', ':'),
          object,
        );
        declaredObjects.add(own);
        // cdk8s leaves out null values.
        if (!containsNull(object)) completeObjects.add(own);
        // The chart's namespace is for the objects in it, not for the Namespace itself.
        if (kind === 'Namespace') own.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
      }
    }
    return [];
  }

  /** Lists the objects that an app created on a cluster in the Tenant of that cluster. */
  #listAppObjects(cluster: string, tenant: ApiObject): string[] {
    const { platform } = getFleet(this);
    const here = this.#namespaces.filter((one) => one.cluster === cluster);
    const identities = here.flatMap((chart) => listChartObjects(chart, platform));
    if (identities.length === 0) return [];
    try {
      tenant.metadata.addAnnotation(APP_OBJECTS, formatAppObjects(identities));
      return [];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [`[${this.node.path}] ${error.message}`];
    }
  }
}

/** The objects that come from the declaration of a tenant. */
const declaredObjects = new WeakSet<ApiObject>();
/** The declared objects that need no completion. */
const completeObjects = new WeakSet<ApiObject>();

/**
 * Lists the identities of objects that an app creates in a namespace besides the declared ones, of the kinds whose
 * undeclared objects the operator reports.
 */
function listChartObjects(chart: TenantNamespace, { comparedKinds }: Platform): string[] {
  return chart.node.findAll().flatMap((one) => {
    if (!ApiObject.isApiObject(one) || declaredObjects.has(one)) return [];
    const { apiVersion, kind, name, metadata } = one;
    const group = groupOf(apiVersion);
    const isReported =
      choosePart({ apiVersion, kind }) !== 'resources' ||
      comparedKinds.some((compared) => compared.group === group && compared.kind === kind);
    if (!isReported) return [];
    return [identityOfNames({ group, kind, name, namespace: metadata.namespace ?? '' })];
  });
}

/** Sorts keys in the order in which cdk8s writes them. */
const sortKeys = (value: unknown): unknown => JSON.parse(formatCanonicalJson(value)) as unknown;

function containsNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  return Object.values(value).some(containsNull);
}

/** Renders an object; undefined if it cannot be rendered, which rendering itself reports. */
function tryRender(object: ApiObject): KubeObject | undefined {
  try {
    return object.toJson() as KubeObject;
  } catch {
    return undefined;
  }
}

/** Removes a value that may be a secret from a finding. */
function redactFinding(finding: Finding): Finding {
  return isSecret(finding.path) ? { ...finding, message: redactMessage(finding.message) } : finding;
}
