import { admitObject, type Definition } from '../../crd.ts';
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
} from '../../runtime.ts';
import { accessTo, owns, type NginxContext } from './access.ts';
import { converted, type ConvertedContext } from './converted.ts';
import { isRollingOut, judgementOf, type Judgement } from './degraded.ts';
import { deploymentOf, FORCED } from './deployment.ts';
import type { NginxKind } from './kinds.ts';
import type { Operand } from './operand.ts';
import { say } from './status.ts';
import { Upgradeable } from './upgradeable.ts';

/** Of which release a controller is. */
export interface NginxControllerProps {
  readonly definition: Definition;
  /** In the version in which the release works. */
  readonly kind: NginxKind;
  /** What objects are laid over. */
  readonly operand: Operand;
  /** What OLM is told. @default - nothing */
  readonly tell?: ((condition: ConditionInput) => void) | undefined;
}

/** An NginxOperator is a Deployment of its name: the manifest of the operand, and over it what the object says. */
export function nginxController(props: NginxControllerProps): Controller {
  const { definition, kind, operand } = props;
  const upgradeable = new Upgradeable(props.tell ?? (() => {}));
  let reconciles: Counter<never> | undefined;
  return controller({
    name: 'nginxoperator',
    for: kind,
    owns,
    predicate: predicates.generationChanged,
    concurrency: 4,
    access: accessTo(kind),
    metrics({ instruments }) {
      const help = 'Attempts to make the cluster be as an NginxOperator says.';
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
      // Also of one that is not converted: it may be the next release that converts it.
      look(known);
      const ctx = await converted(seen, kind);
      if (!ctx) return requeueAfter(10_000);
      const tell = (judgement: Judgement, deployment = known) =>
        say(ctx, { kind, operand, judgement, deployment });
      // It may be older than what the definition asks.
      const { errors } = admitObject(definition, ctx.object);
      if (errors.length > 0) {
        const faults = errors.map(({ path, message }) => `${path.join('.')} ${message}`);
        await tell({ reason: 'OperatorResourceNotAvailable', message: faults.join('; ') });
        return done;
      }
      if (found && !known) {
        const message = 'a Deployment of this name is not of this NginxOperator';
        await tell({ reason: 'OperandDeploymentFailed', message });
        return requeueAfter(10_000);
      }
      const deployment = await applied(ctx, operand, known).catch(async (error: unknown) => {
        // A conflict is no failure: what was known is old, and is looked at again.
        if (error instanceof ApiError && !error.isConflict) {
          await tell({ reason: 'OperandDeploymentFailed', message: error.message });
        }
        throw error;
      });
      look(deployment);
      await tell(judgementOf(deployment), deployment);
      return done;
    },
    onGone: async ({ name }) => upgradeable.gone(keyOf(name)),
  });
}

type Deployment = Live<typeof apps.Deployment>;

/** Those whose pods are being replaced. */
function rollingIn({ cache }: NginxContext, kind: NginxKind): string[] {
  const rolling = cache.list(apps.Deployment).filter(isRollingOut);
  // Of one that was deleted the Deployment may go later.
  return rolling
    .filter(({ metadata }) => cache.get(kind, metadata))
    .map(({ metadata }) => keyOf(metadata));
}

/** The Deployment of the name, where it has not the label by which the operator hears of it. */
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

/** The Deployment, made or changed where it is not as it should be, of which people are told. */
async function applied(
  { object, wanted: spec, client, owned, event }: ConvertedContext,
  operand: Operand,
  known: Deployment | undefined,
): Promise<Deployment> {
  const { metadata, ...rest } = deploymentOf(operand, object.metadata.name, spec);
  // One that somebody made of the name meanwhile has another uid, and is not taken by force.
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
