import type { JsonPatchOperation } from '@tenantry/runtime/webhooks/json-patch';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body, ObjectReference, Reply } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';

/** A user who changes objects as `kubectl edit` does, and who can revert all changes. */
export class Hand {
  readonly #admin: ClusterAccess['admin'];
  readonly #undo: (() => Promise<Reply>)[] = [];

  constructor({ admin }: ClusterAccess) {
    this.#admin = admin;
  }

  async edit(reference: ObjectReference, change: readonly JsonPatchOperation[]): Promise<void> {
    const { body } = await this.#admin.get(reference);
    await taken(this.#admin.patch(reference, change, { ...by, type: 'json' }));
    const { managedFields: _, ...metadata } = body.metadata!;
    const undo = async (): Promise<Reply | false> => {
      const { resourceVersion = '' } = (await this.#admin.get(reference)).body.metadata!;
      const before = { ...body, metadata: { ...metadata, resourceVersion } };
      const reply = await this.#admin.replace(before, by);
      // A controller may have written in between.
      return reply.status !== 409 && reply;
    };
    this.#undo.push(() => until(`${reference.kind} ${reference.name} is as it was`, undo));
  }

  async delete(reference: ObjectReference): Promise<void> {
    const { body } = await this.#admin.get(reference);
    await taken(this.#admin.delete(reference));
    const { name = '', namespace = '', labels = {}, annotations = {} } = body.metadata!;
    const metadata = { name, namespace, labels, annotations };
    this.#undo.push(() => this.#admin.create({ ...body, metadata }, by));
  }

  async create(reference: ObjectReference, object: Body): Promise<void> {
    const { apiVersion, kind, name, namespace = '' } = reference;
    const metadata = { ...object.metadata, name, namespace };
    await taken(this.#admin.create({ ...object, apiVersion, kind, metadata }, by));
    this.#undo.push(() => this.#admin.delete(reference));
  }

  async takeBack(): Promise<void> {
    for (const undo of this.#undo.splice(0).toReversed()) await taken(undo());
  }
}

const by = { fieldManager: 'kubectl-edit' } as const;

async function taken(reply: Promise<Reply>): Promise<void> {
  const { status, body } = await reply;
  if (status > 201) throw new Error(body.message);
}
