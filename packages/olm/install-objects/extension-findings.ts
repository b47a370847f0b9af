import { isMapping } from '@tenantry/kube/mapping';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import type { Bundle, BundleFinding, BundleManifest } from '../bundle/bundle.ts';
import { requiredKinds, annotatedProperties } from '../catalog/render/render-bundle.ts';
import { supportedModes } from './install-target.ts';
import { buildInstalledObjects, installedResource } from './installed-objects.ts';

const RULE = 'olm-v1';

/**
 * Reports the parts of a bundle that OLM v1 does not install, and what users must know before an installation. Assumes
 * a bundle that passes the bundle rules.
 *
 * Source: https://operator-framework.github.io/operator-controller/project/olmv1_limitations/
 */
export function checkExtensionSupport(bundle: Bundle): BundleFinding[] {
  const { csv } = bundle;
  if (!csv) return [{ ...AT_BUNDLE, message: 'must have a ClusterServiceVersion, got none' }];
  return [
    ...modeFindings(bundle, csv),
    ...dependencyFindings(bundle, csv),
    ...serverFindings(csv),
    ...webhookFindings(csv),
    ...objectFindings(bundle),
    ...nameFindings(bundle),
  ];
}

const AT_BUNDLE = { path: [], rule: RULE, severity: 'error' } as const;

type Manifest = Pick<BundleManifest, 'file' | 'index'>;

const at = (
  { file, index }: Manifest,
  path: Path,
  message: string,
  severity: 'error' | 'warning' = 'error',
): BundleFinding => ({ file, document: index, path, message, rule: RULE, severity });

type Csv = NonNullable<Bundle['csv']>;

function modeFindings(bundle: Bundle, csv: Csv): BundleFinding[] {
  const modes = supportedModes(bundle);
  if (modes.has('AllNamespaces')) return [];
  const got = modes.size === 0 ? 'none' : formatList([...modes]);
  const message = `must support AllNamespaces, as which alone OLM v1 installs a bundle, got ${got}`;
  return [at(csv, ['spec', 'installModes'], message)];
}

/** The properties with which a bundle declares dependencies in a catalog. */
const DEPENDENCIES = new Set(['olm.gvk', 'olm.package', 'olm.constraint']);
const REQUIRED = new Set(['olm.gvk.required', 'olm.package.required', 'olm.constraint']);

function dependencyFindings(bundle: Bundle, csv: Csv): BundleFinding[] {
  const none = (got: string): string =>
    `must be absent: OLM v1 installs no dependencies and refuses a bundle with dependencies, got ${got}`;
  const unsupported = [
    ...bundle.dependencies.filter(({ type }) => DEPENDENCIES.has(type)),
    ...bundle.properties.filter(({ type }) => REQUIRED.has(type)),
  ];
  const kinds = requiredKinds(bundle).map(
    ({ group, version, kind }) => `${kind}.${version}.${group}`,
  );
  const annotated = annotatedProperties(bundle).filter(({ type }) => REQUIRED.has(type));
  const annotation: Path = ['metadata', 'annotations', 'olm.properties'];
  return [
    ...unsupported.map(({ type, document, path }) => at(document, path, none(show(type)))),
    ...annotated.map(({ type }) => at(csv, annotation, none(show(type)))),
    ...(kinds.length === 0
      ? []
      : [at(csv, ['spec', 'customresourcedefinitions', 'required'], none(formatList(kinds)))]),
  ];
}

function serverFindings(csv: Csv): BundleFinding[] {
  const owned = csv.value.spec?.apiservicedefinitions?.owned ?? [];
  if (owned.length === 0) return [];
  const message = `must be left out: OLM v1 installs no aggregated API servers, got ${owned.length}`;
  return [at(csv, ['spec', 'apiservicedefinitions', 'owned'], message)];
}

const CONFIGURATIONS = /^(\*|(mutating|validating)webhookconfigurations?)$/i;

function webhookFindings(csv: Csv): BundleFinding[] {
  const webhooks = csv.value.spec?.webhookdefinitions ?? [];
  const path: Path = ['spec', 'webhookdefinitions'];
  const forbidden = webhooks.flatMap(({ type, rules = [] }, i) =>
    type === 'ConversionWebhook'
      ? []
      : rules.flatMap(({ apiGroups = [], resources = [] }, j) => {
          const groups = apiGroups.filter(
            (one) => one === '*' || one === 'olm.operatorframework.io',
          );
          const matched = apiGroups.includes('admissionregistration.k8s.io') ? resources : [];
          const got = [...groups, ...matched.filter((one) => CONFIGURATIONS.test(one))];
          if (got.length === 0) return [];
          const message = `must not apply to OLM's own kinds, webhook configurations or all groups, got ${formatList(got)}`;
          return [at(csv, [...path, i, 'rules', j], message)];
        }),
  );
  if (webhooks.length === 0) return [];
  const message =
    'need cert-manager on the cluster for their certificates, or OpenShift; and OLM v1.6 or later';
  return [...forbidden, at(csv, path, message, 'warning')];
}

function objectFindings({ manifests }: Bundle): BundleFinding[] {
  return manifests.flatMap((manifest) => {
    const { apiVersion, kind, value } = manifest;
    if (kind === 'ClusterServiceVersion') return [];
    if (!installedResource(apiVersion, kind)) {
      return [at(manifest, ['kind'], `must be a kind that OLM installs, got ${show(kind)}`)];
    }
    if (kind === 'ClusterRole' && isMapping(value['aggregationRule'])) {
      const message = "must be left out: only a cluster's admin may make a role of roles";
      return [at(manifest, ['aggregationRule'], message)];
    }
    if (kind !== 'Secret') return [];
    const message =
      'lets the installer read all Secrets of the cluster, because OLM v1 watches the kind';
    return [at(manifest, ['kind'], message, 'warning')];
  });
}

/** A name that RBAC treats as a single plain name. */
const PLAIN = /^[^*\s/%]+$/;

function nameFindings(bundle: Bundle): BundleFinding[] {
  return buildInstalledObjects(bundle, 'default').flatMap(({ kind, metadata: { name } }) => {
    if (PLAIN.test(name)) return [];
    return [
      { ...AT_BUNDLE, message: `must name its ${kind} as Kubernetes does, got ${show(name)}` },
    ];
  });
}
