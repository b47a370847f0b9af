/** The errors of the simulated server: refusals with the messages of an API server, and one for what is not simulated. */
import { ApiError, type StatusCause } from '@tenantry/runtime/errors/api-error';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';

const buildDetails = ({ group, plural }: Kind, name: string) => ({ name, group, kind: plural });

export function notFound(kind: Kind, name: string): ApiError {
  const message = `${resourceOf(kind)} "${name}" not found`;
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message,
    details: buildDetails(kind, name),
  });
}

/** The error for a kind that is not served. */
export function notServed(): ApiError {
  const message = 'the server could not find the requested resource';
  return new ApiError({ code: 404, reason: 'NotFound', message });
}

export function alreadyExists(kind: Kind, name: string): ApiError {
  const message = `${resourceOf(kind)} "${name}" already exists`;
  const details = buildDetails(kind, name);
  return new ApiError({ code: 409, reason: 'AlreadyExists', message, details });
}

/** The error for a generated name that is taken: it is random, so a retry helps. */
export function generatedNameTaken(kind: Kind, name: string): ApiError {
  const details = { ...buildDetails(kind, name), retryAfterSeconds: 1 };
  const message = `${resourceOf(kind)} "${name}" already exists, the server was not able to generate a unique name for the object`;
  return new ApiError({ code: 409, reason: 'AlreadyExists', message, details });
}

export function conflict(kind: Kind, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceOf(kind)} "${name}": ${why}`;
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message,
    details: buildDetails(kind, name),
  });
}

export const wasModified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** The error for fields of a server-side apply that others own. */
export function fieldManagerConflict(
  kind: Kind,
  name: string,
  fields: readonly string[],
): ApiError {
  const causes = fields.map((field) => ({ reason: 'FieldManagerConflict', field }));
  const message = `Apply failed with ${fields.length} conflict${fields.length === 1 ? '' : 's'}: ${fields.join(', ')}`;
  const details = { ...buildDetails(kind, name), causes };
  return new ApiError({ code: 409, reason: 'Conflict', message, details });
}

export function invalid(kind: Kind, name: string, causes: readonly StatusCause[]): ApiError {
  const of = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const reasons = causes.map(({ field, message }) => `${field}: ${message}`).join(', ');
  const details = { name, group: kind.group, kind: kind.kind, causes };
  const message = `${of} "${name}" is invalid: ${reasons}`;
  return new ApiError({ code: 422, reason: 'Invalid', message, details });
}

export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'BadRequest', message });
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError({ code: 405, reason: 'MethodNotAllowed', message });
}

export function namespaceTerminating(kind: Kind, name: string, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `${resourceOf(kind)} "${name}" is forbidden: ${why}`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  const details = { ...buildDetails(kind, name), causes: [cause] };
  return new ApiError({ code: 403, reason: 'Forbidden', message, details });
}

/** The error for a version or a page that history no longer has. */
export function expired(): ApiError {
  const message = 'The resourceVersion for the provided watch or list is too old.';
  return new ApiError({ code: 410, reason: 'Expired', message });
}

/**
 * The error for a request that a real API server may answer and the simulated one cannot. It prevents a
 * wrong answer: the simulation fails even where the caller catches the error.
 */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`${what} is not simulated: try it on a real API server`);
    this.name = 'NotSimulated';
  }
}
