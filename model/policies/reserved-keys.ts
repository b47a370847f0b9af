import type { KubeObject } from '@tenantry/kube/object';
import type { Platform } from '../declaration.ts';
import { FACTS, TENANT_LABEL } from '../ownership.ts';
import {
  applicationPrefixes,
  INSTANCE_LABEL,
  ROOT_APPLICATION,
  syncAccount,
} from '../argocd-names.ts';
import { celList, celFactLines } from './cel.ts';
import { buildDenyingPolicy, buildExemptions } from './policy.ts';

/** The name of the policy and of its binding. */
export const RESERVED_KEYS_NAME = 'tenant-reserved-keys.tenantry.dev';

/** The annotation with the Application of an object in Argo CD: `application:group/Kind:namespace/name`. */
const TRACKING_ID = 'argocd.argoproj.io/tracking-id';

/** Keys of Argo CD and of Tenantry, in their domains and below. */
const RESERVED = String.raw`^([^/]*[.])?(argocd[.]argoproj[.]io|tenantry[.]dev)/`;

const controllers = ['system:kube-controller-manager', 'system:apiserver', 'system:kube-scheduler'];

/** Returns CEL for the keys of one part of the metadata that a request adds or changes, as a list. */
const listChangedKeys = (part: 'labels' | 'annotations'): string =>
  `variables.${part}.filter(k, !(k in variables.${part}Before && variables.${part}Before[k] == variables.${part}[k]))`;

const celMetadataPart = (object: string, part: string): string =>
  `${object}.?metadata.?${part}.orValue({})`;

const variables: Readonly<Record<string, string>> = {
  labels: celMetadataPart('dyn(object)', 'labels'),
  annotations: celMetadataPart('dyn(object)', 'annotations'),
  labelsBefore: `oldObject == null ? dyn({}) : dyn(${celMetadataPart('dyn(oldObject)', 'labels')})`,
  annotationsBefore: `oldObject == null ? dyn({}) : dyn(${celMetadataPart('dyn(oldObject)', 'annotations')})`,
  changedLabels: listChangedKeys('labels'),
  changedAnnotations: listChangedKeys('annotations'),
  namespaces: celFactLines(FACTS.namespaces),
  id: "request.kind.group + '/' + request.kind.kind + ':' + request.namespace + '/' + dyn(object).?metadata.?name.orValue('')",
  trackingId: `'${TRACKING_ID}' in variables.annotations ? string(variables.annotations['${TRACKING_ID}']) : ''`,
  // Argo CD ignores an id that names another object, such as the Deployment from which a ReplicaSet was copied.
  isTracked: `'${TRACKING_ID}' in variables.changedAnnotations && (request.?subResource.orValue('') != '' || variables.trackingId.endsWith(':' + variables.id))`,
  application: "variables.trackingId.split(':')[0]",
  isController: `request.userInfo.username in ${celList(controllers)} || 'system:serviceaccounts:kube-system' in request.userInfo.groups`,
  isOwnAccount:
    "request.userInfo.groups.exists(g, g.startsWith('system:serviceaccounts:') && g.substring(23) in variables.namespaces)",
  // Operators of the platform copy keys from an object that Argo CD has synced to objects that they create from it.
  isOperator:
    "request.userInfo.username.startsWith('system:serviceaccount:') && !variables.isOwnAccount",
  isCopy: "variables.isOwnAccount && variables.trackingId != '' && !variables.isTracked",
  reserved: `(variables.changedLabels + variables.changedAnnotations).filter(k, k.matches('${RESERVED}'))`,
};

/** Builds CEL that tests whether Argo CD syncs, as the tenant, one of the tenant's own Applications. */
function buildSyncVariables(platform: Platform): Readonly<Record<string, string>> {
  const { namespace, name } = syncAccount(platform, '');
  return {
    isSync: `request.userInfo.username == 'system:serviceaccount:${namespace}:${name}' + namespaceObject.metadata.labels['${TENANT_LABEL}']`,
    // `<namespace>.<cluster>.<application>`, or `<namespace>_<application>` for an Application in that namespace.
    isOwnApplication:
      "(size(variables.application.split('.')) == 3 && variables.application.split('.')[0] in variables.namespaces) || variables.application.split('_')[0] in variables.namespaces",
  };
}

/**
 * Builds a ValidatingAdmissionPolicy with its binding. In the namespaces of tenants nobody can create an object that
 * Argo CD treats as part of an Application, which could then neither be synced nor pruned. It applies to every kind, to
 * subresources, and to Kubernetes' controllers, which create objects from templates that people write.
 *
 * - An object must not have a tracking id that names it. Argo CD ignores any other.
 * - An object must not have a label `app.kubernetes.io/instance` that names an Application of Tenantry, because Argo CD
 *   may track by it.
 * - People, and service accounts of the tenant, set no keys of Argo CD and Tenantry.
 *
 * No class can disable it, because what one tenant does affects another.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 *
 * @param cluster the name of the cluster that it is for. Default: all clusters of the platform
 */
export function buildReservedKeysPolicy(
  platform: Platform,
  cluster?: string,
): readonly [policy: KubeObject, binding: KubeObject] {
  const clusters = cluster === undefined ? platform.clusters : [{ name: cluster }];
  return buildDenyingPolicy(RESERVED_KEYS_NAME, {
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: { matchExpressions: [{ key: TENANT_LABEL, operator: 'Exists' }] },
      objectSelector: {},
      resourceRules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['*/*'],
          scope: 'Namespaced',
        },
      ],
    },
    matchConditions: buildExemptions(platform, { controllers: false }),
    variables: Object.entries({ ...variables, ...buildSyncVariables(platform) }).map(
      ([name, expression]) => ({ name, expression }),
    ),
    validations: buildValidations(clusters).map(({ expression, message }) => ({
      expression,
      messageExpression: message,
      reason: 'Forbidden',
    })),
  });
}

function buildValidations(clusters: readonly { readonly name: string }[]) {
  const instance = `string(variables.labels['${INSTANCE_LABEL}'])`;
  const isOurs = `(${instance} == '${ROOT_APPLICATION}' || ${celList(applicationPrefixes(clusters))}.exists(p, ${instance}.startsWith(p)))`;
  // Argo CD does not treat an object with an owner as part of an Application.
  const isMade =
    "variables.isController && (dyn(object).?metadata.?ownerReferences.orValue([]).size() > 0 || request.kind.kind in ['Endpoints', 'EndpointSlice'])";
  return [
    {
      expression: '!variables.isTracked || (variables.isSync && variables.isOwnApplication)',
      message: `'an object must not have the annotation ${TRACKING_ID}, by which Argo CD takes it for a part of Application ' + variables.application`,
    },
    {
      expression: `!('${INSTANCE_LABEL}' in variables.changedLabels) || !${isOurs} || ${isMade}`,
      message: `'the label ${INSTANCE_LABEL} must not name an Application of the platform, got ' + ${instance}`,
    },
    {
      expression:
        'size(variables.reserved) == 0 || variables.isController || variables.isSync || variables.isOperator || variables.isCopy',
      message:
        "'an object must not have labels and annotations that are reserved for Argo CD and Tenantry, got ' + variables.reserved.join(', ')",
    },
  ];
}
