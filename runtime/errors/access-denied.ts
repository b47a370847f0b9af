import type { AccessRule } from '../../kube/access.ts';

/**
 * The client refused a call before it left, because no declared access allows it. Calls are refused
 * here that the roles made of the same declarations would let the API server refuse.
 */
export class AccessDenied extends Error {
  /** The access that the call needs. */
  readonly missing: AccessRule;
  /** The line that declares it: `allow(Namespace, 'create')`. */
  readonly line: string;

  /** `who` is the name of the controller. */
  constructor(who: string, missing: AccessRule, line: string) {
    const { resource, group, verbs } = missing;
    const [plural = '', subresource] = resource.split('/');
    const what = `${plural}${group && `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
    super(`${who} may not ${verbs.join(', ')} ${what}: its access must have ${line}`);
    this.name = 'AccessDenied';
    this.missing = missing;
    this.line = line;
  }
}
