import { admitObject } from '@tenantry/crd/admit-object';
import { listVersions } from '@tenantry/crd/definition';
import { builtinFields } from '@tenantry/kube/builtin-fields';
import { isDeepEqual } from '@tenantry/kube/json';
import { omitUndefined, isMapping, valueAt } from '@tenantry/kube/mapping';
import { isSubdomain } from '@tenantry/kube/names';
import { formatPath, show } from '@tenantry/kube/problem';
import { apiVersionOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { builtinShape, resourceShape, type Shape } from './fields/shape.ts';
import { badRequest, invalid } from './errors.ts';
import type { ServedKind } from './served-kinds.ts';
import type { Fields, StoredObject } from './object-store.ts';

interface AdmissionInput {
  readonly served: ServedKind;
  readonly kind: Kind;
  readonly name: string;
  readonly old: StoredObject | undefined;
  readonly isStatus: boolean;
  /** Whether fields that the kind does not have are refused. */
  readonly isStrict: boolean;
}

/**
 * Fills in defaults and validates the object by its schema, and returns it as it is stored. It does not
 * change the metadata.
 * @throws {ApiError} with all violations
 */
export function admit(object: Fields, admitting: AdmissionInput): Fields {
  return admitting.served.definition
    ? admitCustomResource(object, admitting)
    : admitBuiltin(object, admitting);
}

function admitCustomResource(
  object: Fields,
  { served, kind, name, ...rest }: AdmissionInput,
): Fields {
  const { definition } = served;
  if (!definition) return object;
  const { old: oldObject, isStatus, isStrict } = rest;
  const { value, errors, pruned } = admitObject(
    definition,
    object,
    omitUndefined({
      oldObject,
      subresource: isStatus ? 'status' : undefined,
    }),
  );
  if (isStrict && pruned.length > 0)
    throw createStrictError(pruned.map((path) => formatPath(path)));
  if (errors.length > 0) {
    const causes = errors.map(({ path, message }) => ({ field: formatPath(path), message }));
    throw invalid(kind, name, causes);
  }
  const admitted = isMapping(value) ? value : {};
  return { ...admitted, metadata: object['metadata'] };
}

function admitBuiltin(object: Fields, admitting: AdmissionInput): Fields {
  const { served, kind, name, old, isStatus, isStrict } = admitting;
  if (!isValidName(kind, name)) {
    throw invalid(kind, name, [
      { field: 'metadata.name', message: `Invalid value: ${show(name)}` },
    ]);
  }
  const unknown = isStrict
    ? findUnknownFields(object, `${apiVersionOf(kind)}/${kind.kind}`, [])
    : [];
  if (unknown.length > 0) throw createStrictError(unknown);
  const whole = isStatus || !served.defaults ? object : served.defaults(object);
  const stored = served.hasStatus && !isStatus ? withStatus(whole, old, served) : whole;
  if (old && !isStatus) checkFixed(stored, old, admitting);
  return stored;
}

/**
 * Validates a name. Names of RBAC kinds are a path segment, such as `system:image-pullers`; names of
 * other kinds are a DNS subdomain. Source: ValidateRBACName,
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/rbac/validation/validation.go
 */
function isValidName({ group }: Kind, name: string): boolean {
  if (group !== 'rbac.authorization.k8s.io') return isSubdomain(name);
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

function withStatus(object: Fields, old: StoredObject | undefined, served: ServedKind): Fields {
  const { status: given, ...rest } = object;
  const status = old ? old['status'] : served.firstStatus;
  if (given === undefined && status === undefined) return object;
  return { ...rest, ...(status !== undefined && { status }) };
}

function checkFixed(
  object: Fields,
  old: StoredObject,
  { served, kind, name }: AdmissionInput,
): void {
  for (const path of served.fixed ?? []) {
    const place = path.split('.');
    const [now, before] = [valueAt(object, place), valueAt(old, place)];
    if (isDeepEqual(now, before)) continue;
    if (
      path === 'spec' &&
      kind.kind === 'Pod' &&
      isDeepEqual(withoutImages(now), withoutImages(before))
    )
      continue;
    throw invalid(kind, name, [{ field: path, message: 'Forbidden: field is immutable' }]);
  }
  if (old['immutable'] === true && !isDeepEqual(object['data'], old['data'])) {
    const message = 'Forbidden: field is immutable when `immutable` is set';
    throw invalid(kind, name, [{ field: 'data', message }]);
  }
}

/** Removes the parts of a pod's spec that may change: the images, and added tolerations. */
function withoutImages(spec: unknown): unknown {
  if (!isMapping(spec)) return spec;
  const containers: unknown = spec['containers'];
  if (!Array.isArray(containers)) return spec;
  const { tolerations: _, nodeName: __, ...rest } = spec;
  return {
    ...rest,
    containers: containers.map((one: unknown) => (isMapping(one) ? { ...one, image: '' } : one)),
  };
}

function createStrictError(fields: readonly string[]) {
  const reasons = fields.map((field) => `unknown field "${field}"`).join(', ');
  return badRequest(`strict decoding error: ${reasons}`);
}

/** Lists fields that a type of Kubernetes does not have: none for types that are not known. */
function findUnknownFields(value: unknown, type: string, at: readonly string[]): string[] {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, i) => findUnknownFields(item, type.slice(2), [...at, String(i)]));
  }
  if (!isMapping(value)) return [];
  if (type.startsWith('{}')) {
    return Object.entries(value).flatMap(([name, part]) =>
      findUnknownFields(part, type.slice(2), [...at, name]),
    );
  }
  const fields = builtinFields(type);
  if (!fields) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const of = fields.get(name);
    if (of === undefined) return [[...at, name].join('.')];
    return findUnknownFields(part, of, [...at, name]);
  });
}

/** Returns how objects of the kind are merged. */
export function resolveShape({ definition }: ServedKind, kind: Kind): Shape {
  const found = definition && listVersions(definition).find(({ name }) => name === kind.version);
  return found ? resourceShape(found.schema) : builtinShape(`${apiVersionOf(kind)}/${kind.kind}`);
}
