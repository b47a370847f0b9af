import type { AccessRule } from '../../kube/access.ts';

/**
 * The client refused a call before sending it, because no declared access allows it. The API server would refuse it
 * too, by the roles from the same declarations.
 */
export class AccessDenied extends Error {
  /** The access that the call needs. */
  readonly missing: AccessRule;
  /** The line that declares it: `allow(Namespace, 'create')`. */
  readonly line: string;

  /** @param who the name of the controller */
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
