import { omitUndefined } from '@tenantry/kube/mapping';
import type { Client } from '../client/client.ts';
import { systemClock, type Clock, type Random } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { ifGone, reactionTo } from '../errors/reaction.ts';
import { Secret } from '../kinds/core.ts';
import { keyOf, type Live } from '../kinds/kind.ts';
import type { Log, LogFields } from '../log/log.ts';
import { watchTarget, readTarget, type InjectionTarget, type ReadTarget } from './injection.ts';
import {
  computeFingerprint,
  isDueForRotation,
  isUsable,
  issueKeyPair,
  loadX509,
  type X509,
} from './certify.ts';
import {
  parseHosts,
  coversHosts,
  parseValidity,
  ServingCertificate,
  type KeyPair,
  type CertificateSource,
} from './key-pair.ts';
import {
  buildCaBundle,
  computeNextStep,
  parseRotationState,
  buildSecretData,
  type RotationState,
  type RotationStep,
  type SecretName,
} from './rotation.ts';

/** The certificates, their targets and the times of rotation. */
export interface SharedCertificatesProps {
  readonly client: Client;
  /** The Secret in which all replicas find the certificates. It is created if it does not exist. */
  readonly secret: SecretName;
  /** The served names and addresses: `<service>.<namespace>.svc`. */
  readonly hosts: readonly string[];
  /** The objects whose `caBundle` is maintained. */
  readonly targets: readonly InjectionTarget[];
  readonly log: Log;
  /** Milliseconds for which a certificate is valid; the next one follows after two thirds. @default - 90 days */
  readonly validFor?: number | undefined;
  /**
   * Milliseconds for which an authority is in every `caBundle` before its certificate is used, so that API servers
   * notice it.
   * @default 60,000
   */
  readonly settle?: number | undefined;
  /** Milliseconds for which the previous authority stays trusted, so that replicas read the Secret. @default 600,000 */
  readonly overlap?: number | undefined;
  /**
   * Milliseconds between two checks, randomly up to a fifth more. A write of a target causes a check within a second.
   * @default 10,000
   */
  readonly interval?: number | undefined;
  /** Called at each step that this replica takes. */
  readonly observe?: ((step: RotationStep) => void) | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

const day = 24 * 60 * 60 * 1000;

function withDefaults(props: SharedCertificatesProps) {
  const { validFor = 90 * day, settle = 60_000, overlap = 600_000, interval = 10_000 } = props;
  return { ...props, validFor, settle, overlap, interval };
}

/**
 * Certificates that replicas issue themselves and share in a Secret, with the `caBundle` of the objects that call them.
 * All replicas do the same: read the Secret, serve its certificate, update each `caBundle`, and take the next step of a
 * rotation when it is due. If two write at once, the API server accepts one and the other reads again.
 *
 * The next authority is trusted before its certificate is used, and the previous one afterwards, so that nothing fails
 * during a rotation. Failed requests are retried, and the current certificate stays in use.
 *
 * @example
 * ```ts
 * import { jsonLog, SharedCertificates, systemClock, type Client } from '@tenantry/runtime';
 *
 * export function certificatesOf(client: Client): SharedCertificates {
 *   return new SharedCertificates({
 *     client,
 *     secret: { namespace: 'shops', name: 'webhooks' },
 *     hosts: ['hooks.shops.svc'],
 *     targets: [{ kind: 'CustomResourceDefinition', name: 'shops.example.com' }],
 *     log: jsonLog({ clock: systemClock }),
 *   });
 * }
 * ```
 */
export class SharedCertificates implements CertificateSource {
  readonly #props: ReturnType<typeof withDefaults>;
  readonly #clock: Clock;
  readonly #serving = new ServingCertificate();
  /** Since when all targets have had this bundle, by this replica's clock. */
  #trusted: { readonly bundle: string; readonly since: number } | undefined;
  /** Since when this certificate has been the current one, by this replica's clock. */
  #switched: { readonly certificate: string; readonly since: number } | undefined;
  #isReady = false;
  readonly #written = new Map<string, string>();
  readonly #loggedReasons = new Map<string, string>();
  /** The certificate to replace before its time. */
  #unwanted: string | undefined;
  #wake: () => void = () => {};

  /** @throws {Error} if the times leave no room for a rotation, or there are no hosts */
  constructor(props: SharedCertificatesProps) {
    const { hosts, interval, validFor, settle, overlap } = (this.#props = withDefaults(props));
    if (hosts.length === 0) throw new Error('certificates must serve at least one host, got none');
    if (overlap <= 2 * interval) {
      throw new Error(
        `overlap must be more than two intervals of ${interval} ms, in which every replica reads the Secret; got ${overlap} ms`,
      );
    }
    if (validFor / 3 <= settle + overlap) {
      throw new Error(
        `validFor must be more than three times settle and overlap, ${settle + overlap} ms, which a rotation takes; got ${validFor} ms`,
      );
    }
    this.#clock = props.clock ?? systemClock;
  }

  get current(): KeyPair | undefined {
    return this.#serving.current;
  }

  /**
   * Whether all existing targets trusted the served certificate at some time. For the readiness of a pod, which must
   * not end because an API server cannot be reached.
   */
  get isReady(): boolean {
    return this.#isReady;
  }

  onChange(listener: (pair: KeyPair) => void): () => void {
    return this.#serving.onChange(listener);
  }

  /** Rotates the current certificate early, for example because its key leaked. All steps of a rotation apply. */
  rotate(): void {
    this.#unwanted = this.current?.certificate;
    this.#wake();
  }

  /** @throws {Error} if the packages that create certificates are not installed */
  async run(signal: AbortSignal): Promise<void> {
    const x509 = loadX509();
    const { targets } = this.#props;
    await Promise.all([
      this.#reconcileUntil(signal, x509),
      ...targets.map((target) => this.#watchTarget(target, signal)),
    ]);
  }

  async #reconcileUntil(signal: AbortSignal, x509: X509): Promise<void> {
    const { interval, random = Math.random } = this.#props;
    while (!signal.aborted) {
      // A write from now on may be missed by this check.
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      const isDone = await this.#tryReconcile(x509);
      const pause = interval * (1 + random() / 5);
      const least = Math.min(pause, 1000);
      const since = this.#clock.now();
      const early = AbortSignal.any([signal, woken.signal]);
      await this.#clock.sleep(isDone ? pause : least, early).catch(() => {});
      // A conflict with another writer of caBundle leads to at most one write a second.
      const left = least - (this.#clock.now() - since);
      if (left > 0) await this.#clock.sleep(left, signal).catch(() => {});
    }
  }

  #watchTarget(target: InjectionTarget, signal: AbortSignal): Promise<void> {
    const { client, interval, log } = this.#props;
    const { kind, name } = target;
    let hasWarned = false;
    return watchTarget(target, {
      reader: client,
      clock: this.#clock,
      signal,
      pause: interval,
      changed: () => {
        hasWarned = false;
        this.#wake();
      },
      failed: (error) => {
        const fields = { kind, name, interval, error };
        if (!hasWarned)
          log.warn('a target cannot be watched, and is looked at every so often', fields);
        hasWarned = true;
      },
    });
  }

  /** Returns whether there is nothing more to do for now. */
  async #tryReconcile(x509: X509): Promise<boolean> {
    try {
      return await this.#reconcile(x509);
    } catch (error) {
      // Another replica was faster, so its Secret is read at once.
      const isRace = error instanceof ApiError && (error.isConflict || error.isAlreadyExists);
      if (!isRace)
        this.#logOnce('secret', 'the certificates cannot be kept; trying again', { error });
      this.#trusted = undefined;
      return !isRace && reactionTo(error) === 'give up';
    }
  }

  /**
   * Targets are read before the Secret. So a write of `caBundle` is newer than what it replaces, or meets a conflict.
   */
  async #reconcile(x509: X509): Promise<boolean> {
    const { client, targets, secret: name } = this.#props;
    const read: ReadTarget[] = [];
    for (const target of targets) read.push(await readTarget(client, target));
    const secret = await client.get(Secret, name).catch(ifGone);
    const certificates = secret && parseRotationState(secret);
    if (certificates) this.#serve(certificates);
    if (certificates) this.#recordTrust(buildCaBundle(certificates), read);
    const next = this.#computeNextStep(x509, certificates);
    if (next) {
      await this.#write(secret, next.certificates);
      this.#reportStep(next.step, next.certificates);
      // The written Secret is read, served and injected at once.
      return false;
    }
    this.#loggedReasons.delete('secret');
    return certificates === undefined || (await this.#inject(buildCaBundle(certificates), read));
  }

  #serve({ current }: RotationState): void {
    const { certificate } = current;
    if (this.#switched?.certificate !== certificate) {
      this.#switched = { certificate, since: this.#clock.now() };
    }
    if (!isUsable(current, [], this.#clock.date()) || !this.#serving.set(current)) return;
    const until = new Date(parseValidity(certificate).to).toISOString();
    const fields = { secret: keyOf(this.#props.secret), until };
    this.#props.log.info('serving with the certificate of the Secret', fields);
  }

  #recordTrust(bundle: string, read: readonly ReadTarget[]): void {
    const isEverywhere = read.every((one) => one.missing !== undefined || one.has(bundle));
    if (isEverywhere && this.current) this.#isReady = true;
    if (!isEverywhere) this.#trusted = undefined;
    else if (this.#trusted?.bundle !== bundle) {
      this.#trusted = { bundle, since: this.#clock.now() };
    }
  }

  #computeNextStep(x509: X509, certificates: RotationState | undefined) {
    const { hosts, validFor, settle, overlap } = this.#props;
    const now = this.#clock.date();
    const isPast = (mark: { readonly since: number } | undefined, wait: number): boolean =>
      mark !== undefined && this.#clock.now() - mark.since >= wait;
    // Replicas of two versions may need different hosts, so neither removes hosts of the other.
    const { current } = certificates ?? {};
    const lacking =
      current && isUsable(current, [], now) && !coversHosts(current.certificate, hosts);
    const all = lacking ? [...new Set([...hosts, ...parseHosts(current.certificate)])] : hosts;
    return computeNextStep(certificates, {
      isUsable: (generation) => isUsable(generation, [], now),
      isDue: (generation) =>
        isDueForRotation(generation, now) ||
        lacking === true ||
        generation.certificate === this.#unwanted,
      isNextTrusted: isPast(this.#trusted, settle),
      isPreviousUnused: isPast(this.#switched, overlap),
      make: () => issueKeyPair(x509, { hosts: all, validFor, now }),
    });
  }

  async #write(
    secret: Live<typeof Secret> | undefined,
    certificates: RotationState,
  ): Promise<void> {
    const { client, secret: name } = this.#props;
    const data = buildSecretData(certificates, secret?.data);
    if (secret) await client.update(Secret, { ...secret, data });
    else await client.create(Secret, { metadata: name, type: 'kubernetes.io/tls', data });
  }

  /** Injects the bundle, and returns whether every target has it. */
  async #inject(bundle: string, read: readonly ReadTarget[]): Promise<boolean> {
    const { log } = this.#props;
    let isDone = true;
    for (const one of read) {
      const { target, missing } = one;
      const { kind, name } = target;
      const key = `${kind} ${name}`;
      if (missing !== undefined) {
        this.#logOnce(key, 'no caBundle can be written', { kind, name, why: missing });
        continue;
      }
      if (!one.has(bundle)) {
        isDone = false;
        await one.inject(bundle);
        if (this.#written.get(key) === bundle) {
          log.warn('caBundle was changed by somebody else, and is written again', { kind, name });
        } else log.info('caBundle is written', { kind, name });
        this.#written.set(key, bundle);
      }
      this.#loggedReasons.delete(key);
    }
    return isDone;
  }

  #reportStep(step: RotationStep, { current, next }: RotationState): void {
    const fields: LogFields = omitUndefined({
      step,
      secret: keyOf(this.#props.secret),
      current: computeFingerprint(current.certificate),
      next: next ? computeFingerprint(next.certificate) : undefined,
    });
    this.#props.log.info('the certificates are renewed', fields);
    this.#props.observe?.(step);
  }

  /** Logs a problem once, until its cause changes. */
  #logOnce(about: string, sentence: string, fields: Readonly<Record<string, unknown>>): void {
    const { error, why } = fields;
    const reason = error instanceof Error ? error.message : String(why);
    if (this.#loggedReasons.get(about) === reason) return;
    this.#loggedReasons.set(about, reason);
    this.#props.log.error(sentence, { secret: keyOf(this.#props.secret), ...fields });
  }
}
