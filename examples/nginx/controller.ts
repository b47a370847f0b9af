import { admitObject, type Definition } from '@tenantry/crd';
import {
  ApiError,
  apps,
  controller,
  done,
  ifGone,
  keyOf,
  predicates,
  requeueAfter,
  type Controller,
  type Counter,
  type Live,
  type ConditionInput,
} from '@tenantry/runtime';
import {
  accessTo,
  owns,
  readConverted,
  type NginxContext,
  type ConvertedContext,
} from './context.ts';
import {
  isRollingOut,
  judgementOf,
  writeStatus,
  Upgradeable,
  type Judgement,
} from './conditions.ts';
import { deploymentOf, FORCED } from './deployment.ts';
import type { NginxKind } from './kinds.ts';
import type { Operand } from './operand.ts';

/** The properties of the controller of a release. */
export interface NginxControllerProps {
  readonly definition: Definition;
  /** The kind in the version that the release uses. */
  readonly kind: NginxKind;
  /** The manifest that the fields of objects override. */
  readonly operand: Operand;
  /** Receives the conditions for OLM. @default - ignores them */
  readonly report?: ((condition: ConditionInput) => void) | undefined;
}

/**
 * Creates a Deployment for each NginxOperator, with its name: the manifest of the operand, with the
 * fields of the object merged over it.
 */
export function nginxController(props: NginxControllerProps): Controller {
  const { definition, kind, operand } = props;
  const upgradeable = new Upgradeable(props.report ?? (() => {}));
  let reconciles: Counter<never> | undefined;
  return controller({
    name: 'nginxoperator',
    for: kind,
    owns,
    predicate: predicates.generationChanged,
    concurrency: 4,
    access: accessTo(kind),
    metrics({ instruments }) {
      const help = 'Reconciles of NginxOperators.';
      reconciles = instruments.counter({ name: 'reconciles_total', help, labels: [] });
    },
    async reconcile(seen) {
      reconciles?.inc({});
      const found = seen.children(apps.Deployment)[0] ?? (await readUnlabeledDeployment(seen));
      const known = found && isOf(seen, found) ? found : undefined;
      const look = (deployment: Deployment | undefined): void =>
        upgradeable.look(
          keyOf(seen.object.metadata),
          deployment !== undefined && isRollingOut(deployment),
          () => rollingIn(seen, kind),
        );
      // Also for an object that is not converted: the next release may be the one that converts it.
      look(known);
      const ctx = await readConverted(seen, kind);
      if (!ctx) return requeueAfter(10_000);
      const setStatus = (judgement: Judgement, deployment = known) =>
        writeStatus(ctx, { kind, operand, judgement, deployment });
      // An older object may be invalid under the current definition.
      const { errors } = admitObject(definition, ctx.object);
      if (errors.length > 0) {
        const faults = errors.map(({ path, message }) => `${path.join('.')} ${message}`);
        await setStatus({ reason: 'OperatorResourceNotAvailable', message: faults.join('; ') });
        return done;
      }
      if (found && !known) {
        const message = 'a Deployment of this name is not of this NginxOperator';
        await setStatus({ reason: 'OperandDeploymentFailed', message });
        return requeueAfter(10_000);
      }
      const deployment = await applied(ctx, operand, known).catch(async (error: unknown) => {
        // A conflict is not a failure: the known object is outdated, and the next reconcile reads it
        // again.
        if (error instanceof ApiError && !error.isConflict) {
          await setStatus({ reason: 'OperandDeploymentFailed', message: error.message });
        }
        throw error;
      });
      look(deployment);
      await setStatus(judgementOf(deployment), deployment);
      return done;
    },
    onGone: async ({ name }) => upgradeable.gone(keyOf(name)),
  });
}

type Deployment = Live<typeof apps.Deployment>;

/** Lists NginxOperators whose pods are being replaced. */
function rollingIn({ cache }: NginxContext, kind: NginxKind): string[] {
  const rolling = cache.list(apps.Deployment).filter(isRollingOut);
  // The Deployment of a deleted NginxOperator may be deleted later than its owner.
  return rolling
    .filter(({ metadata }) => cache.get(kind, metadata))
    .map(({ metadata }) => keyOf(metadata));
}

/** Reads the Deployment of that name, which the operator does not watch if it lacks the label. */
function readUnlabeledDeployment({
  object,
  client,
}: NginxContext): Promise<Deployment | undefined> {
  const { name, namespace } = object.metadata;
  return client.get(apps.Deployment, { name, namespace }).catch(ifGone);
}

function isOf({ object }: NginxContext, { metadata }: Deployment): boolean {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  return owner?.uid === object.metadata.uid;
}

/** Creates or updates the Deployment, and records an event when it changes. */
async function applied(
  { object, wanted: spec, client, owned, event }: ConvertedContext,
  operand: Operand,
  known: Deployment | undefined,
): Promise<Deployment> {
  const { metadata, ...rest } = deploymentOf(operand, object.metadata.name, spec);
  // A Deployment that another writer created meanwhile has another UID: the API server refuses the
  // apply.
  const wanted = owned({
    metadata: { ...metadata, ...(known && { uid: known.metadata.uid }) },
    ...rest,
  });
  const deployment = await client.apply(apps.Deployment, wanted, { force: known !== undefined });
  const { name, generation } = deployment.metadata;
  if (!known) event({ reason: 'CreateDeployment', note: `made Deployment ${name}` });
  else if (forcedOf(known) !== forcedOf(deployment)) {
    event({
      reason: 'Redeploy',
      note: `replaces all pods of Deployment ${name}, as was asked for`,
    });
  } else if (known.metadata.generation !== generation) {
    event({ reason: 'UpdateDeployment', note: `made Deployment ${name} as is declared` });
  }
  return deployment;
}

const forcedOf = ({ spec }: Deployment): string | undefined =>
  spec?.template.metadata?.annotations?.[FORCED];
