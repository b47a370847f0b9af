import type { HookEvent } from '../../../../crds/types.ts';
import {
  HookRefused,
  type Http,
  type HttpAnswer,
  type HttpRequest,
} from '../../../../operator/hooks/sender.ts';
import type { SimulatedProgram } from '@tenantry/testing/simulation/simulate-props';
import { JenkinsDouble } from '../doubles/jenkins.ts';
import type { Double, Reply } from '../doubles/served.ts';
import { SlackDouble } from '../doubles/slack.ts';
import { WebhookReceiver } from '../doubles/webhook-receiver.ts';
import { signingKey } from '../given.ts';

/** A fault of one request. */
export type Trouble =
  /** The receiver, or something in front of it, answers this and does nothing. */
  | { readonly how: 'refused'; readonly status: number; readonly retryAfter?: number }
  /** The request is handled, and something on the way returns another answer. */
  | { readonly how: 'done, and answered otherwise'; readonly status: number }
  /** The request is handled, and the connection breaks. */
  | { readonly how: 'done, and torn' }
  /** The request is handled and never answered. */
  | { readonly how: 'done, and silent' }
  /** The request is lost silently. */
  | { readonly how: 'lost' }
  /** The request arrives this number of milliseconds later. */
  | { readonly how: 'slow'; readonly milliseconds: number }
  /** The operator dies after it sent the request, which arrives this number of milliseconds later. */
  | { readonly how: 'sent, and the operator dies'; readonly milliseconds: number }
  /** The request is handled, and the operator dies before the answer. */
  | { readonly how: 'done, and the operator dies' }
  /** The operator dies after it received the answer. */
  | { readonly how: 'answered, and the operator dies' };

/** A fault that waits for a request. */
export interface Armed {
  readonly trouble: Trouble;
  /** The number of requests before the affected one. */
  skip: number;
  /** The end of the fault, in the time of the schedule. */
  readonly until: number;
}

/** The latency of a message in milliseconds. */
const LATENCY = 5;

/** A text in answers that do not come from the receiver; it must not be reported anywhere. */
export const PLANTED = 'planted-in-an-answer';

/** The parameters of the exchange of one attempt. */
export interface Line {
  readonly program: SimulatedProgram;
  readonly signal: AbortSignal;
  /** Called for each request that is sent. */
  readonly leaves: (url: URL) => void;
  /** Called for each timely answer. */
  readonly onAnswer: (reply: Reply) => void;
}

/** All receivers of hooks, in memory, and the network to them. */
export class Receivers {
  readonly webhooks: Readonly<Record<string, WebhookReceiver>>;
  readonly jenkins = new JenkinsDouble();
  readonly slack = new SlackDouble();
  readonly armed: Armed[] = [];
  /** The number of requests sent so far. */
  requests = 0;
  /** The end of an outage by host, in the time of the schedule. */
  readonly downUntil = new Map<string, number>();
  /** Called when a receiver has done something. */
  done: () => void = () => undefined;
  /** Whether webhooks are accepted whatever the clock of the sender shows. */
  readonly #isForgiving: boolean;

  constructor(isForgiving = false) {
    this.#isForgiving = isForgiving;
    const names = ['cmdb', 'cmdb2', 'audit'];
    const ones = names.map((name) => [`${name}.example.com`, new WebhookReceiver([signingKey])]);
    this.webhooks = Object.fromEntries(ones) as Record<string, WebhookReceiver>;
    for (const one of Object.values(this.webhooks)) one.token = 'planted-token-of-a-webhook';
    this.jenkins.jobs.set('platform/tenants', { parameters: ['UID', 'EVENT', 'TENANTRY_KEY'] });
    this.jenkins.now = 0;
    this.slack.now = 0;
    this.slack.people.set('platform@example.com', 'U0PLATFORM');
  }

  /** Returns the content of the Secret of a hook. */
  credentialsOf(hook: string): Readonly<Record<string, string>> {
    const { jenkins, slack } = this;
    if (hook === 'job') return { username: jenkins.user, token: jenkins.token };
    if (hook === 'channel') return { token: slack.token };
    return { 'signing-key': signingKey, token: 'planted-token-of-a-webhook' };
  }

  /** All secret values, none of which may appear in any output. */
  get secrets(): readonly string[] {
    const { jenkins, slack } = this;
    const basic = Buffer.from(`${jenkins.user}:${jenkins.token}`).toString('base64');
    const key = signingKey.slice('whsec_'.length);
    return [jenkins.token, basic, slack.token, key, 'planted-token-of-a-webhook', PLANTED];
  }

  httpOf(line: Line): Http {
    return { exchange: (request) => this.#exchange(line, request) };
  }

  /** One line for each effect: two equal lines are one effect that happened twice. */
  get deeds(): readonly string[] {
    const webhookEvents = Object.entries(this.webhooks).flatMap(([host, { events }]) =>
      [...events.values()].map(({ type, data }) => `${host} ${String(type)} ${uidIn(data)}`),
    );
    const { builds, queue } = this.jenkins;
    const waiting = queue.filter(({ build, isCancelled }) => !build && !isCancelled);
    const runs = [...builds, ...waiting].map(
      ({ parameters }) => `ci.example.com ${parameters['EVENT']} ${parameters['UID']}`,
    );
    const channels = this.slack.channels.flatMap((one) => {
      const uid = markOf(one.purpose.value);
      return uid === undefined ? [] : [`a channel of ${uid}`];
    });
    const posts = this.slack.posts.map(
      ({ metadata }) => `posted ${keyIn(metadata?.event_payload)}`,
    );
    return [...webhookEvents, ...runs, ...channels, ...posts];
  }

  /** Returns whether the receiver of a hook has the complete effect of an event. */
  isDone(hook: string, event: HookEvent, uid: string, key: string): boolean {
    const { deeds } = this;
    if (hook === 'job') return deeds.includes(`ci.example.com ${event} ${uid}`);
    if (hook === 'channel' && event === 'Onboarded') {
      return deeds.includes(`a channel of ${uid}`) && deeds.includes(`posted ${key}`);
    }
    if (hook === 'channel') return !this.#openChannels.includes(uid);
    const type = `dev.tenantry.tenant.${event.toLowerCase()}`;
    const hosts =
      hook === 'cmdb' ? ['cmdb.example.com', 'cmdb2.example.com'] : ['audit.example.com'];
    return hosts.some((host) => deeds.includes(`${host} ${type} ${uid}`));
  }

  /** Returns whether a channel of another tenant, or of none, has the name. */
  isTaken(name: string, uid: string): boolean {
    return this.slack.channels.some(
      (one) => one.name === name && markOf(one.purpose.value) !== uid,
    );
  }

  /** Renames the channels of deleted tenants, as users do. */
  renameChannelsOf(uid: string): void {
    const { channels } = this.slack;
    for (const [i, one] of channels.entries()) {
      if (markOf(one.purpose.value) === uid && !one.name.startsWith('old-')) {
        channels[i] = { ...one, name: `old-${i}-${one.name}` };
      }
    }
  }

  get #openChannels(): readonly string[] {
    return this.slack.channels
      .filter((one) => !one.is_archived)
      .flatMap(({ purpose }) => markOf(purpose.value) ?? []);
  }

  #exchange(line: Line, request: HttpRequest): Promise<HttpAnswer> {
    const { program, signal, leaves, onAnswer } = line;
    const { time, hear, crash } = program;
    const { host } = request.url;
    return new Promise((resolve, reject) => {
      const fail = (how: string): void =>
        reject(new HookRefused(`no answer of ${host} ${how}`, { final: false, isBusy: true }));
      if (signal.aborted) return fail('in time');
      signal.addEventListener('abort', () => fail('in time'), { once: true });
      leaves(request.url);
      this.requests += 1;
      const trouble = this.#troubleFor(host, time.now());
      const back = (run: () => void): void => void time.after(LATENCY, () => hear(run));
      const arrive = (): void => {
        if (trouble?.how === 'lost') return;
        const reply = this.#reply(request, trouble, time.date().getTime());
        if (trouble?.how === 'done, and silent') return;
        if (trouble?.how === 'done, and the operator dies') return crash();
        if (trouble?.how === 'done, and torn') return back(() => fail('(ECONNRESET)'));
        back(() => {
          if (trouble?.how === 'answered, and the operator dies') return crash();
          if (!signal.aborted) onAnswer(reply);
          resolve(answerOf(reply));
        });
      };
      const isLate = trouble?.how === 'slow' || trouble?.how === 'sent, and the operator dies';
      time.after(LATENCY + (isLate ? trouble.milliseconds : 0), arrive);
      if (trouble?.how === 'sent, and the operator dies') crash();
    });
  }

  #troubleFor(host: string, now: number): Trouble | undefined {
    if (now < (this.downUntil.get(host) ?? 0)) return { how: 'lost' };
    const at = this.armed.findIndex(({ until }) => now < until);
    const next = this.armed[at];
    if (!next) return undefined;
    next.skip -= 1;
    if (next.skip >= 0) return undefined;
    this.armed.splice(at, 1);
    return next.trouble;
  }

  #reply(request: HttpRequest, trouble: Trouble | undefined, now: number): Reply {
    if (trouble?.how === 'refused') return otherwise(trouble.status, trouble.retryAfter);
    const { method, url, headers = {}, body = '' } = request;
    const { pathname: path, searchParams: query } = url;
    const signed = Number(headers['webhook-timestamp']) * 1000;
    const double = this.#doubleAt(url.host, this.#isForgiving && signed > 0 ? signed : now);
    const reply = double.answer({ method, path, query, headers, body });
    this.done();
    return trouble?.how === 'done, and answered otherwise' ? otherwise(trouble.status) : reply;
  }

  /** Returns the double for a host, with the time of the schedule. */
  #doubleAt(host: string, now: number): Double {
    const { webhooks, jenkins, slack } = this;
    const webhook = webhooks[host];
    if (webhook) webhook.now = () => now / 1000;
    jenkins.now = Math.max(jenkins.now, now);
    slack.now = Math.max(slack.now, Math.floor(now / 1000));
    const one = webhook ?? { 'ci.example.com': jenkins, 'slack.example.com': slack }[host];
    if (!one) throw new Error(`nobody is called ${host}`);
    return one;
  }
}

function otherwise(status: number, retryAfter?: number): Reply {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers: { ...headers, 'x-why': PLANTED }, body: PLANTED };
}

function answerOf({ status, headers = {}, body = '' }: Reply): HttpAnswer {
  const after = headers['retry-after'];
  const cookie = headers['set-cookie'];
  return {
    status,
    header: (name) => headers[name],
    cookies: cookie === undefined ? [] : [cookie],
    retryAfter: after === undefined ? undefined : Number(after),
    body,
  };
}

const markOf = (purpose: string): string | undefined => /tenantry\/(\S+)$/.exec(purpose)?.[1];
const uidIn = (data: unknown): string => (data as { tenant: { uid: string } }).tenant.uid;
const keyIn = (payload: unknown): string => String((payload as { key?: string } | undefined)?.key);
