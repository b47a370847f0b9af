import type { DriftPolicy, Hook, TenantSpec } from '../../../../crds/types.ts';
import { Tenant, TenantClass } from '../../../../operator/cluster/kinds.ts';
import { hookController } from '../../../../operator/hooks/hook-controller.ts';
import {
  HookRefused,
  type HookCall,
  type HookContext,
  type Sender,
} from '../../../../operator/hooks/sender.ts';
import { createReceiver } from '../../../../operator/hooks/attempt.ts';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import {
  createView,
  type SimulatedApi,
  type ClusterView,
} from '@tenantry/testing/simulation/server/cluster-view';
import type {
  ActionContext,
  SimulatedProgram,
  SimulateProps,
} from '@tenantry/testing/simulation/simulate-props';
import { HookJudge, type HookJudgeProps, type Tally } from './hook-judge.ts';
import { cluster, hooksWith, platformOf, unedited, type Edits } from './hook-platform.ts';
import { observeController } from './overheard.ts';
import { Receivers, type Armed, type Trouble } from './receivers.ts';

type Actions = NonNullable<SimulateProps['actions']>;

const names = ['acme', 'bolt', 'core'];
const hookNames = ['cmdb', 'job', 'channel', 'audit'];
const hosts = ['cmdb', 'cmdb2', 'ci', 'slack', 'audit'].map((name) => `${name}.example.com`);

export interface HookWorldProps extends Partial<HookJudgeProps> {
  /** The drift policy of the operator. @default - it only observes */
  readonly driftPolicy?: DriftPolicy;
  /** Controllers that run beside the hook controller. @default - none */
  readonly others?: (platform: ReturnType<typeof platformOf>) => readonly Controller[];
  /** Edits of the hooks from the beginning. @default - none */
  readonly edits?: Partial<Edits>;
  /** Tenants that exist as declared when the operator starts. @default - none */
  readonly tenants?: readonly string[];
  /** Faults that wait for requests from the beginning. @default - none */
  readonly armed?: () => readonly Armed[];
}

/** The platform, its tenants and the receivers of its hooks, in one schedule after the other. */
export class HookWorld {
  readonly tally: Tally = { onboarded: 0, offboarded: 0, failed: 0, givenUp: 0, takenUp: 0 };
  readonly #props: HookWorldProps;
  #edits: Edits = unedited;
  #receivers = new Receivers();
  #judge = new HookJudge({ skew: 0, isAlone: true }, this.#receivers, this.tally);
  /** All runs of the operator, including those that have ended. */
  readonly #programs: SimulatedProgram[] = [];
  #view: ClusterView | undefined;
  /** The time until which the Secret of a hook is missing or wrong. */
  readonly #lacking = new Map<string, { readonly until: number; readonly isWrong: boolean }>();

  constructor(props: HookWorldProps = {}) {
    this.#props = props;
  }

  /** The number of requests in the last schedule. */
  get requests(): number {
    return this.#receivers.requests;
  }

  /** The properties for the simulation. */
  get simulated() {
    return {
      world: (api) => this.#begin(api),
      controllers: (program) => this.#controllers(program),
      // The operator gives up after an hour, and retries a failed call after an hour at most.
      calm: 9_000_000,
      always: {
        'receipts match the receivers, no tenant is deleted too early, and nothing reveals a secret':
          (view, change) => this.#judge.take(view, change),
      },
      eventually: {
        'every hook was called once for every tenant': (view) =>
          this.#judge.expectAllDelivered(view),
      },
    } satisfies SimulateProps;
  }

  /** The actions of users, of the platform and of the receivers. */
  get actions(): Actions {
    return { ...ofTenants, ...this.#ofPlatform, ...this.#ofReceivers };
  }

  #begin(api: SimulatedApi): void {
    const { skew = 0, isAlone = true, armed = () => [], tenants = [] } = this.#props;
    this.#edits = { ...unedited, ...this.#props.edits };
    this.#lacking.clear();
    this.#programs.length = 0;
    this.#receivers = new Receivers(skew > 0);
    this.#receivers.armed.push(...armed());
    this.#judge = new HookJudge({ skew, isAlone }, this.#receivers, this.tally);
    const judge = this.#judge;
    this.#receivers.done = () => judge.done();
    this.#view = createView(api, () => this.#now);
    for (const name of ['standard', 'strict']) {
      api.create(TenantClass, { metadata: { name }, spec: {} });
    }
    for (const name of tenants) {
      api.create(Tenant, { metadata: { name }, spec: {} });
      setReadyCondition(api, name, 'AsDeclared');
    }
  }

  get #now(): number {
    return this.#programs.at(-1)?.time.now() ?? 0;
  }

  /** Returns the controllers for a run of the operator, with the hooks that the platform declares at its start. */
  #controllers(program: SimulatedProgram): readonly Controller[] {
    const { driftPolicy = 'Observe', others = () => [] } = this.#props;
    this.#programs.push(program);
    const declared = hooksWith(this.#edits);
    const platform = platformOf(declared, driftPolicy);
    const judge = this.#judge;
    judge.starts(declared, this.#now);
    const controller = hookController({
      platform,
      cluster,
      credentials: '/nowhere',
      receiverOf: (hook, clock) => {
        const { sender, address } = createReceiver(hook, clock);
        const reach = (call: HookCall, context: HookContext): HookContext =>
          this.#reach(program, declared, hook, call, context);
        return { sender: over(sender, reach), address };
      },
    });
    return [observeController(controller, (text) => judge.hears(text)), ...others(platform)];
  }

  /** Returns how an attempt reaches the receivers: in memory, and with Secrets of the test. */
  #reach(
    program: SimulatedProgram,
    declared: readonly Hook[],
    hook: Hook,
    call: HookCall,
    { signal }: HookContext,
  ): HookContext {
    const judge = this.#judge;
    const view = this.#view!;
    const { name } = hook;
    const optionalCredential = async (key: string): Promise<string | undefined> => {
      const lacking = this.#lacking.get(name);
      const value = this.#receivers.credentialsOf(name)[key];
      if (value === undefined || !lacking || lacking.until < this.#now) return value;
      return lacking.isWrong && key === 'token' ? `planted-in-an-answer${key}` : undefined;
    };
    return {
      signal,
      optionalCredential,
      credential: async (key) => {
        const value = await optionalCredential(key);
        if (value !== undefined) return value;
        throw new HookRefused(`Secret ${hook.secret} must have the key '${key}'`, { final: false });
      },
      http: this.#receivers.httpOf({
        program,
        signal,
        leaves: (url) => judge.leaves(declared, name, call, url, view),
        onAnswer: (reply) => judge.answered(hook, call, reply, this.#now),
      }),
    };
  }

  get #ofPlatform(): Actions {
    return {
      'the platform edits a hook': ({ pick }) => {
        const edit = pick(Object.keys(unedited) as (keyof Edits)[]);
        this.#edits = { ...this.#edits, [edit]: !this.#edits[edit] };
        for (const program of this.#programs) program.restart();
      },
      'the Secret of a hook is missing for a while, or wrong': ({ pick, whole, happens }) => {
        const until = this.#now + whole(1, 60) * 1000;
        this.#lacking.set(pick(hookNames), { until, isWrong: happens(0.5) });
      },
    };
  }

  get #ofReceivers(): Actions {
    const arm = ({ whole }: ActionContext, trouble: Trouble, most = 4): void =>
      void this.#receivers.armed.push({
        trouble,
        skip: whole(0, most),
        until: this.#now + 120_000,
      });
    return {
      'a receiver is down for a while': ({ pick, whole, happens }) => {
        // The longer outage exceeds the time that a deletion waits.
        const seconds = happens(0.7) ? whole(1, 60) : 4200;
        this.#receivers.downUntil.set(pick(hosts), this.#now + seconds * 1000);
      },
      'a receiver refuses some calls': (context) => {
        for (let left = context.whole(1, 3); left > 0; left -= 1) arm(context, refusal(context), 1);
      },
      'a receiver refuses permanently': (context) => arm(context, { how: 'refused', status: 410 }),
      'a receiver handles a call, and another answer arrives': (context) =>
        arm(context, {
          how: 'done, and answered otherwise',
          status: context.pick([500, 502, 504, 429]),
        }),
      'a receiver handles a call, and no answer arrives': (context) =>
        arm(context, { how: context.pick(['done, and silent', 'done, and torn'] as const) }),
      'a call is lost': (context) => arm(context, { how: 'lost' }),
      'a call is slow': (context) =>
        arm(context, { how: 'slow', milliseconds: context.whole(500, 8000) }),
      'the operator dies at a call': (context) => arm(context, death(context), 6),
      'the operator dies at one more call': (context) => arm(context, death(context), 6),
    };
  }
}

function refusal({ pick, whole, happens }: ActionContext): Trouble {
  const status = pick([429, 429, 500, 503, 401, 403, 408]);
  const isSelected = (status === 429 || status === 503) && happens(0.7);
  return { how: 'refused', status, ...(isSelected && { retryAfter: whole(1, 60) }) };
}

function death({ pick, whole }: ActionContext): Trouble {
  return pick<Trouble>([
    { how: 'sent, and the operator dies', milliseconds: whole(0, 8000) },
    { how: 'done, and the operator dies' },
    { how: 'answered, and the operator dies' },
  ]);
}

/** Returns the same sender with another way to its receiver. */
function over(
  sender: Sender,
  reach: (call: HookCall, context: HookContext) => HookContext,
): Sender {
  const { find } = sender;
  return {
    ...(find && { find: (call, context) => find.call(sender, call, reach(call, context)) }),
    send: (call, context) => sender.send(call, reach(call, context)),
  };
}

const specOf = ({ happens, pick, whole }: ActionContext): TenantSpec => ({
  ...(happens(0.4) && { className: pick(['strict', 'standard']) }),
  contact: { team: `team ${whole(1, 99)}` },
});

/** Sets the Ready condition as the tenant controller does. */
export function setReadyCondition(api: SimulatedApi, name: string, reason: string): void {
  const { metadata } = api.get(Tenant, { name });
  const status = reason === 'AsDeclared' ? ('True' as const) : ('False' as const);
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Ready', status, reason, message: '', lastTransitionTime };
  const patch = {
    status: { observedGeneration: metadata.generation ?? 1, conditions: [condition] },
  };
  api.patch(Tenant, { name }, patch, { subresource: 'status' });
}

function make(context: ActionContext, name: string): void {
  context.api.create(Tenant, { metadata: { name }, spec: specOf(context) });
  setReadyCondition(context.api, name, 'AsDeclared');
}

/** Picks the name of an existing tenant. */
const someOf = ({ api, pick }: ActionContext): string =>
  pick(api.list(Tenant, { limit: 0 }).items).metadata.name;

const ofTenants: Actions = {
  'a tenant is made': (context) => {
    const name = context.pick(names);
    context.api.create(Tenant, { metadata: { name }, spec: specOf(context) });
  },
  'a tenant is made, and is as declared': (context) => make(context, context.pick(names)),
  'another tenant is made, and is as declared': (context) => make(context, context.pick(names)),
  'a tenant is as declared': (context) =>
    setReadyCondition(context.api, someOf(context), 'AsDeclared'),
  'something of a tenant differs': (context) =>
    setReadyCondition(context.api, someOf(context), 'Drifted'),
  'a tenant is edited': (context) => {
    const { api, happens } = context;
    const name = someOf(context);
    api.patch(Tenant, { name }, { spec: { ...specOf(context), cordoned: happens(0.2) } });
    if (happens(0.7)) setReadyCondition(api, name, 'AsDeclared');
  },
  'a tenant is retired, or active again': (context) => {
    const { api, pick, happens } = context;
    const name = someOf(context);
    const lifecycle = pick(['Retired', 'Suspended', 'Active'] as const);
    api.patch(Tenant, { name }, { spec: { lifecycle } });
    if (happens(0.7)) setReadyCondition(api, name, 'AsDeclared');
  },
  'a tenant is deleted': (context) => {
    context.api.delete(Tenant, { name: someOf(context) });
  },
  'another tenant is deleted': (context) => {
    context.api.delete(Tenant, { name: someOf(context) });
  },
  'a tenant is renamed': (context) => {
    const [from, to] = [someOf(context), context.pick(names)];
    context.api.delete(Tenant, { name: from });
    make(context, to);
  },
};
