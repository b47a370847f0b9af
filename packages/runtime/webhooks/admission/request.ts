import { deepFreeze } from '@tenantry/kube/immutable';
import { show } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import { isQualifiedName } from '@tenantry/kube/names';
import type { Log } from '../../log/log.ts';
import {
  apiVersionOf,
  type FieldsOf,
  type Immutable,
  type Kind,
  type WrittenMeta,
} from '../../kinds/kind.ts';
import { Refused } from '../webhook.ts';

/**
 * An object during admission: fields of its metadata that the API server sets, such as the uid, may still be absent.
 */
export type Admitted<K extends Kind> = Immutable<FieldsOf<K>> & {
  readonly apiVersion: string;
  readonly kind: K['kind'];
  readonly metadata: WrittenMeta;
};

/** The user who sent the request (authentication.k8s.io/v1, UserInfo). */
export interface AdmissionUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The operation, which determines which of the objects exist. */
export type Operation<K extends Kind> =
  | { readonly operation: 'CREATE'; readonly object: Admitted<K>; readonly oldObject?: undefined }
  | { readonly operation: 'UPDATE'; readonly object: Admitted<K>; readonly oldObject: Admitted<K> }
  | { readonly operation: 'DELETE'; readonly object?: undefined; readonly oldObject: Admitted<K> }
  | { readonly operation: 'CONNECT'; readonly object: Admitted<K>; readonly oldObject?: undefined };

/** A request to an admission webhook. */
export type AdmissionRequest<K extends Kind> = Operation<K> & {
  /** The ID of the request, also in the logs of the API server. */
  readonly uid: string;
  /** '' if the API server generates the name (generateName). */
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly user: AdmissionUser;
  /** Nothing will be stored, so the webhook must have no side effects either. */
  readonly dryRun: boolean;
  /** Aborts a little before the API server gives up. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Adds a warning for the client; API servers cut it at 256 characters. */
  warn(text: string): void;
  /**
   * Adds a text to the audit log, under the name of the webhook and this key.
   * @throws {Error} if the key is invalid: letters, digits, `-`, `_` and `.`, at most 63
   */
  audit(key: string, text: string): void;
};

/** The parts of a response besides the verdict. */
export interface ResponseExtras {
  readonly warnings: string[];
  readonly auditAnnotations: Record<string, string>;
}

const apiVersion = 'admission.k8s.io/v1';

/** The content of a review, before its objects are known to be of the kind. */
export interface ParsedRequest {
  readonly uid: string;
  readonly operation: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Parses the request of a review, with immutable objects.
 * @throws {Refused} 400 if it is not an AdmissionReview of v1 for this kind and subresource
 */
export function parseRequest(
  review: unknown,
  kind: Kind,
  subresource: string | undefined,
): ParsedRequest {
  const problems: string[] = [];
  const check = (path: string, must: string, value: unknown, isRight: boolean): void => {
    if (!isRight) problems.push(`${path} must be ${must}, got ${show(value)}`);
  };
  const given = isMapping(review) ? review : {};
  const fields = isMapping(given['request']) ? given['request'] : {};
  check('apiVersion', apiVersion, given['apiVersion'], given['apiVersion'] === apiVersion);
  check('kind', 'AdmissionReview', given['kind'], given['kind'] === 'AdmissionReview');
  const { uid, operation } = fields;
  check('request.uid', 'a string', uid, typeof uid === 'string');
  check('request.operation', operations.join(', '), operation, isOperation(operation));
  const of = isMapping(fields['kind']) ? fields['kind'] : {};
  const group = of['group'] ?? '';
  const got = `${group === '' ? '' : `${String(group)}/`}${String(of['version'])} ${String(of['kind'])}`;
  const expected = `${apiVersionOf(kind)} ${kind.kind}`;
  check('request.kind', `${expected}, by the rules of the configuration`, got, got === expected);
  const requested = fields['subResource'] || undefined;
  check('request.subResource', subresource ?? 'none', requested, requested === subresource);
  for (const name of isOperation(operation) ? objectFields[operation] : []) {
    check(`request.${name}`, 'an object', fields[name], isObject(fields[name]));
  }
  if (problems.length > 0) {
    throw new Refused(400, `the body must be an AdmissionReview: ${problems.join('; ')}`);
  }
  return { uid: String(uid), operation: String(operation), fields };
}

type OperationName = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

const objectFields: Readonly<Record<OperationName, readonly ('object' | 'oldObject')[]>> = {
  CREATE: ['object'],
  UPDATE: ['object', 'oldObject'],
  DELETE: ['oldObject'],
  CONNECT: ['object'],
};

const operations: readonly string[] = Object.keys(objectFields);

function isOperation(value: unknown): value is OperationName {
  return typeof value === 'string' && operations.includes(value);
}

function isObject(value: unknown): boolean {
  return isMapping(value) && isMapping(value['metadata']);
}

/** Builds the request for a handler. `asides` collects its warnings and audit annotations. */
export function buildAdmissionRequest<K extends Kind>(
  { uid, operation, fields }: ParsedRequest,
  extras: ResponseExtras,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): AdmissionRequest<K> {
  const { name, namespace, userInfo, dryRun } = fields;
  const user = isMapping(userInfo) ? userInfo : {};
  const objects = isOperation(operation)
    ? Object.fromEntries(objectFields[operation].map((one) => [one, deepFreeze(fields[one])]))
    : {};
  return {
    // `readRequest` has verified the objects of the operation.
    ...({ operation, ...objects } as Operation<K>),
    uid,
    name: typeof name === 'string' ? name : '',
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    user: { username: '', groups: [], extra: {}, ...(user as Partial<AdmissionUser>) },
    dryRun: dryRun === true,
    signal,
    log: log.with({ uid }),
    warn: (text) => {
      // A header must not contain control characters; the API server would drop the whole warning.
      extras.warnings.push(text.replaceAll(/\p{Cc}+/gu, ' '));
    },
    audit: (key, text) => {
      if (key.includes('/') || !isQualifiedName(key)) {
        throw new Error(`a key of the audit log must be a name without /, got ${show(key)}`);
      }
      extras.auditAnnotations[key] = text;
    },
  };
}
