import type { AccessRule } from '../../kube/access.ts';
import type { Kind } from '../kinds/kind.ts';
import { checkController } from './checks.ts';
import type { Controller, ControllerProps } from './declaration.ts';
import { impliedAccess } from './impliedaccess.ts';

/**
 * Declares a controller: the kind whose objects it reconciles, what it owns and watches, what it may
 * do, and one idempotent function. A `Manager` runs it; its roles come from `access`.
 *
 * @throws {Error} with everything that contradicts itself
 */
export function controller<
  const K extends Kind,
  const Owned extends readonly Kind[] = [],
  const Others extends readonly Kind[] = [],
  const Access extends readonly AccessRule[] = [],
>(props: ControllerProps<K, Owned, Others, Access>): Controller {
  const declared: Omit<Controller, 'access'> = {
    ...props,
    selection: props.selection ?? {},
    owns: props.owns ?? [],
    watches: props.watches ?? [],
    concurrency: props.concurrency ?? 1,
  };
  checkController(declared);
  return { ...declared, access: [...impliedAccess(declared), ...(props.access ?? [])] };
}
