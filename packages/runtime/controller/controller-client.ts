import type { ApplyOptions, Client, DeleteOptions } from '../client/client.ts';
import {
  ClientDecorator,
  type OptionOverrides,
  type ClientCall,
  type ClientCallOptions,
} from '../client/decorator.ts';
import { ApiError } from '../errors/api-error.ts';
import {
  keyOf,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
  type WrittenMeta,
} from '../kinds/kind.ts';
import type { Caches } from './caches.ts';
import { listWatchedKinds, type Controller } from './declaration.ts';
import { controllerUid, isControlledBy, isOwnedBy } from './ownership.ts';
import { matchesLabels, parseLabelSelector } from '@tenantry/kube/label-selector';

interface ControllerClientProps {
  readonly client: Client;
  readonly controller: Controller;
  readonly caches: Pick<Caches, 'written' | 'deleted'>;
  readonly find: (kind: Kind, name: ObjectName) => Live | undefined;
  /** Once it aborts, no call is started, and calls in progress end. */
  readonly cut: AbortSignal;
}

/** The client of one controller. It writes with the controller's field manager and records its writes in the caches. */
export class ControllerClient extends ClientDecorator {
  readonly #props: ControllerClientProps;

  constructor(props: ControllerClientProps) {
    super(props.client);
    this.#props = props;
  }

  /** @throws the reason of the cut */
  protected override before(
    { verb, kind, object }: ClientCall,
    { signal, fieldManager = this.#props.controller.name }: ClientCallOptions,
  ): OptionOverrides {
    const { controller, cut } = this.#props;
    cut.throwIfAborted();
    if (object) checkOwned(controller, kind, object.metadata);
    const ends = { signal: signal ? AbortSignal.any([signal, cut]) : cut };
    return verb === 'create' || verb === 'update' || verb === 'patch'
      ? { ...ends, fieldManager }
      : ends;
  }

  /** Subresources other than the status return objects of other kinds. */
  protected override after(
    { kind, subresource }: ClientCall,
    { dryRun }: ClientCallOptions,
    answer: Live | undefined,
  ): void {
    if (dryRun || (subresource !== undefined && subresource !== 'status')) return;
    if (answer) this.#props.caches.written(kind, answer);
  }

  /** Without `force`, refuses to set an owner on an object that the owner does not control. */
  override async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: ApplyOptions = {},
  ): Promise<Live<K>> {
    // A child that the controller would never see is a programming error, not a temporary conflict.
    checkOwned(this.#props.controller, kind, object.metadata);
    if (!options.force) this.#checkControl(kind, object.metadata);
    return super.apply(kind, object, options);
  }

  /** @throws {ApiError} a conflict, as far as the cache knows */
  #checkControl(kind: Kind, metadata: WrittenMeta): void {
    const [uid] = controllerUid({ metadata });
    const { name = '', namespace } = metadata;
    const known = uid === undefined ? undefined : this.#props.find(kind, { name, namespace });
    if (!known || controllerUid(known).includes(uid!)) return;
    const message = `${resourceOf(kind)} ${keyOf({ name, namespace })} exists, and its new owner does not control it: force takes it over`;
    throw new ApiError({ code: 409, reason: 'Conflict', message });
  }

  /** Looks up the object before the call, since another one may have its name when the answer arrives. */
  override async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined> {
    const { caches, find } = this.#props;
    const uid = options?.preconditions?.uid ?? find(kind, name)?.metadata.uid;
    const waiting = await super.delete(kind, name, options);
    if (!waiting && !options?.dryRun && uid !== undefined) caches.deleted(kind, name, uid);
    return waiting;
  }
}

/**
 * Checks that an object which a controller is about to write can have its owner.
 *
 * @throws {Error} for a cluster-scoped object with a namespaced owner, which the garbage collector would delete. Also
 * for an object that the controller does not select, because it would never see it.
 */
function checkOwned(controller: Controller, kind: Kind, metadata: WrittenMeta): void {
  const { for: owner } = controller;
  const name = metadata.name ?? metadata.generateName;
  if (kind.scope === 'Cluster' && owner.scope === 'Namespaced' && isOwnedBy(owner, metadata)) {
    throw new Error(
      `${owner.kind}, which is namespaced, must own namespaced kinds, got ${kind.kind} ${name}: the garbage collector would delete it`,
    );
  }
  if (!isControlledBy(owner, metadata)) return;
  const resource = resourceOf(kind);
  const watched = listWatchedKinds(controller).find((one) => resourceOf(one.kind) === resource);
  const { namespace, labelSelector = '' } = watched?.selection ?? {};
  const { labels = {} } = metadata;
  const who = `controller ${controller.name} must own ${resource}`;
  if (namespace !== undefined && metadata.namespace !== namespace) {
    throw new Error(
      `${who} in namespace ${namespace}, as it sees no others, got ${name} in ${metadata.namespace}`,
    );
  }
  if (!matchesLabels(parseLabelSelector(labelSelector), labels)) {
    const got = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    throw new Error(
      `${who} that ${labelSelector} selects, as it sees no others, got ${name} with ${got.length > 0 ? got.join() : 'no labels'}`,
    );
  }
}
