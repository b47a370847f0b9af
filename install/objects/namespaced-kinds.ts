import { isNonPersisted } from '../../kube/builtin-kinds.ts';
import * as apps from '../../runtime/kinds/apps.ts';
import * as autoscaling from '../../runtime/kinds/autoscaling.ts';
import * as batch from '../../runtime/kinds/batch.ts';
import * as coordination from '../../runtime/kinds/coordination.ts';
import * as core from '../../runtime/kinds/core.ts';
import * as discovery from '../../runtime/kinds/discovery.ts';
import type { Kind } from '../../runtime/kinds/kind.ts';
import * as networking from '../../runtime/kinds/networking.ts';
import * as policy from '../../runtime/kinds/policy.ts';
import * as rbac from '../../runtime/kinds/rbac.ts';
import * as storage from '../../runtime/kinds/storage.ts';

const rooms = [
  core,
  apps,
  autoscaling,
  batch,
  coordination,
  discovery,
  networking,
  policy,
  rbac,
  storage,
];

/** The built-in kinds whose objects are namespaced and stored. */
export const namespacedKinds: readonly Kind[] = rooms
  .flatMap((room) => Object.values(room) as readonly unknown[])
  .filter(isKind)
  .filter(({ scope, group, kind }) => scope === 'Namespaced' && !isNonPersisted(group, kind));

function isKind(value: unknown): value is Kind {
  return typeof value === 'object' && value !== null && 'plural' in value;
}
