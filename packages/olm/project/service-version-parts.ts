import { isMapping } from '@tenantry/kube/mapping';
import {
  kindOf,
  listAt,
  nameOf,
  textAt,
  mappingAt,
  type BuiltObject,
  type Editable,
  type ProjectTree,
} from './project-files.ts';

/**
 * The permissions of ServiceAccounts in the form of a ClusterServiceVersion, and the objects that they were extracted
 * from.
 */
interface Permissions {
  readonly permissions: readonly object[];
  readonly clusterPermissions: readonly object[];
  readonly used: ReadonlySet<BuiltObject>;
}

/**
 * Extracts the rights that bindings grant to accounts: by a RoleBinding in the operator's namespace, by a
 * ClusterRoleBinding everywhere.
 * @param namespace the namespace of the operator
 */
export function extractPermissions(
  objects: readonly BuiltObject[],
  accounts: ReadonlySet<string>,
  namespace: string,
): Permissions {
  const used = new Set<BuiltObject>();
  const rules = { here: new Map<string, unknown[]>(), everywhere: new Map<string, unknown[]>() };
  for (const binding of objects) {
    const kind = kindOf(binding);
    if (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding') continue;
    const subjects = listAt(binding.value, 'subjects');
    const bound = subjects.filter((one) => isAccount(one, accounts));
    const role = findRole(binding, objects);
    // A binding with other subjects stays an object; OLM then creates it and its role unchanged.
    if (bound.length === 0 || bound.length < subjects.length || !role) continue;
    if (kind === 'RoleBinding' && textAt(binding.value, 'metadata', 'namespace') !== namespace) {
      continue;
    }
    used.add(binding);
    used.add(role);
    const where = kind === 'RoleBinding' ? rules.here : rules.everywhere;
    for (const subject of bound) {
      const account = textAt(subject, 'name');
      where.set(account, [...(where.get(account) ?? []), ...listAt(role.value, 'rules')]);
    }
  }
  // A role that another binding refers to stays an object.
  for (const other of objects) {
    if (used.has(other)) continue;
    const role = findRole(other, objects);
    if (role) used.delete(role);
  }
  return { permissions: asList(rules.here), clusterPermissions: asList(rules.everywhere), used };
}

function isAccount(subject: unknown, accounts: ReadonlySet<string>): boolean {
  return (
    isMapping(subject) &&
    subject['kind'] === 'ServiceAccount' &&
    accounts.has(textAt(subject, 'name'))
  );
}

function findRole(
  { value }: BuiltObject,
  objects: readonly BuiltObject[],
): BuiltObject | undefined {
  const [kind, name] = [textAt(value, 'roleRef', 'kind'), textAt(value, 'roleRef', 'name')];
  return objects.find((one) => kindOf(one) === kind && nameOf(one) === name);
}

function asList(rules: ReadonlyMap<string, unknown[]>): object[] {
  return [...rules].map(([serviceAccountName, all]) => ({ serviceAccountName, rules: all }));
}

const webhookTypes: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: 'ValidatingAdmissionWebhook',
  MutatingWebhookConfiguration: 'MutatingAdmissionWebhook',
};

/** The fields of a webhook that OLM copies unchanged. */
const copiedFields = [
  'admissionReviewVersions',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'reinvocationPolicy',
  'rules',
  'sideEffects',
  'timeoutSeconds',
] as const;

/**
 * Builds webhook definitions, as OLM registers them, from webhook configurations and from definitions with a conversion
 * webhook.
 */
export function buildWebhookDefinitions(
  objects: readonly BuiltObject[],
  tree: ProjectTree,
): object[] {
  return objects.flatMap((one) => {
    const type = webhookTypes[kindOf(one)];
    if (type !== undefined)
      return listAt(one.value, 'webhooks').map(buildAdmissionWebhooks(one, type, objects, tree));
    const conversion = mappingAt(one.value, 'spec', 'conversion');
    if (kindOf(one) !== 'CustomResourceDefinition' || conversion?.['strategy'] !== 'Webhook') {
      return [];
    }
    const webhook = mappingAt(conversion, 'webhook') ?? {};
    return [
      {
        type: 'ConversionWebhook',
        generateName: `c${textAt(one.value, 'spec', 'names', 'kind').toLowerCase()}.kb.io`,
        ...servedBy(webhook, objects, tree, one.file),
        admissionReviewVersions: webhook['conversionReviewVersions'] ?? ['v1'],
        sideEffects: 'None',
        conversionCRDs: [nameOf(one)],
      },
    ];
  });
}

function buildAdmissionWebhooks(
  one: BuiltObject,
  type: string,
  objects: readonly BuiltObject[],
  tree: ProjectTree,
) {
  return (webhook: unknown): object => {
    const declared = isMapping(webhook) ? (webhook as Editable) : {};
    const droppedFields = Object.keys(declared).filter(
      (key) => !['name', 'clientConfig', ...copiedFields].includes(key),
    );
    for (const field of droppedFields) {
      tree.reportNotCarriedOver(
        one.file,
        `is not carried over: ${field} of ${textAt(declared, 'name')}: a webhook of OLM has none`,
      );
    }
    const same = copiedFields.flatMap((key) =>
      declared[key] === undefined ? [] : [[key, declared[key]] as const],
    );
    return {
      type,
      generateName: textAt(declared, 'name'),
      ...servedBy(declared, objects, tree, one.file),
      ...(Object.fromEntries(same) as Editable),
    };
  };
}

/** Returns where the operator serves the webhook: the Deployment behind the Service that API servers call. */
function servedBy(
  webhook: Editable,
  objects: readonly BuiltObject[],
  tree: ProjectTree,
  file: string,
): Editable {
  const reference = mappingAt(webhook, 'clientConfig', 'service') ?? {};
  const service = objects.find(
    (one) => kindOf(one) === 'Service' && nameOf(one) === textAt(reference, 'name'),
  );
  const deployment = findDeployment(service, objects);
  if (!deployment)
    tree.reportNotCarriedOver(
      file,
      'must call a Service of a Deployment of the project, got another',
    );
  const port = typeof reference['port'] === 'number' ? reference['port'] : 443;
  const found = listAt(service?.value, 'spec', 'ports').find(
    (one) => isMapping(one) && one['port'] === port,
  );
  const target = isMapping(found) ? found['targetPort'] : undefined;
  const path = textAt(reference, 'path');
  return {
    ...(deployment && { deploymentName: nameOf(deployment) }),
    containerPort: port,
    ...(target !== undefined && { targetPort: target }),
    ...(path !== '' && { webhookPath: path }),
  };
}

function findDeployment(
  service: BuiltObject | undefined,
  objects: readonly BuiltObject[],
): BuiltObject | undefined {
  const selector = Object.entries(mappingAt(service?.value, 'spec', 'selector') ?? {});
  if (selector.length === 0) return undefined;
  return objects.find((one) => {
    const labels = mappingAt(one.value, 'spec', 'template', 'metadata', 'labels') ?? {};
    return kindOf(one) === 'Deployment' && selector.every(([key, value]) => labels[key] === value);
  });
}

/** An entry of `spec.relatedImages`. */
interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/** An image in an environment variable of a container. */
interface Named extends RelatedImage {
  /** The Deployment and the container. */
  readonly by: string;
}

const PREFIX = 'RELATED_IMAGE_';

/**
 * Collects the images in environment variables `RELATED_IMAGE_<NAME>` of operators, as operator-sdk does. Two images
 * with the same name are prefixed with the names of their Deployment and container. An image in several variables is
 * listed once, without a name.
 *
 * Source: FindRelatedImages of github.com/operator-framework/operator-sdk/internal/cmd/operator-sdk/generate
 */
export function listRelatedImages(
  deployments: readonly BuiltObject[],
  tree: ProjectTree,
): RelatedImage[] {
  const named = deployments.flatMap((deployment) => imagesIn(deployment, tree));
  const byImage = Map.groupBy(named, ({ image }) => image);
  const byName = Map.groupBy(named, ({ name }) => name);
  return [...byImage].map(([image, [first, ...more]]) => {
    const { name, by } = first!;
    if (more.length > 0) return { name: '', image };
    return { name: byName.get(name)!.length > 1 ? `${by}-${name}` : name, image };
  });
}

function imagesIn(deployment: BuiltObject, tree: ProjectTree): Named[] {
  const pod = ['spec', 'template', 'spec'];
  const containers = ['containers', 'initContainers'].flatMap((field) =>
    listAt(deployment.value, ...pod, field),
  );
  return containers.flatMap((container) =>
    listAt(container, 'env').flatMap((variable): Named[] => {
      const variableName = textAt(variable, 'name');
      if (!variableName.startsWith(PREFIX)) return [];
      const by = `${nameOf(deployment)}-${textAt(container, 'name')}`;
      const image = textAt(variable, 'value');
      if (image === '') {
        const got = isMapping(variable) && 'valueFrom' in variable ? 'valueFrom' : 'no value';
        tree.reportNotCarriedOver(
          deployment.file,
          `is not carried over: ${variableName} of ${by} must have a value, got ${got}`,
        );
        return [];
      }
      const name = variableName.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
      return [{ name, image, by }];
    }),
  );
}
