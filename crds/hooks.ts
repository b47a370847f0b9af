import { listMap, set } from './schema-builders.ts';
import {
  boolean,
  dateTime,
  dnsLabel,
  enumOf,
  integer,
  object,
  objectName,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { hookAddress, jenkinsHook, slackHook } from './hook-services.ts';
import { named } from './named.ts';

/** The maximum length of a hook's name in characters: it is part of the name of a volume. */
const MAX_HOOK_NAME_LENGTH = 40;

/** The maximum number of hooks of a platform. A tenant has at most two receipts per hook, one for each event. */
const MAX_HOOKS = 16;

const webhook = named(
  'Webhook',
  object(
    'A POST of a CloudEvent, signed as Standard Webhooks says. The Secret has `signing-key` (`whsec_...`), and may have `previous-signing-key`, while keys are changed, and `token`, which is then sent as a Bearer token.',
    { url: required(hookAddress('Where it is sent.', 'https://cmdb.example.com/tenants')) },
  ),
);

const hook = named(
  'Hook',
  object(
    'A call when tenants come or go.',
    {
      name: required(
        string('Its name. Under another name it is another hook, and called again.', {
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
          maxLength: MAX_HOOK_NAME_LENGTH,
          must: `lower-case letters, digits and '-', at most ${MAX_HOOK_NAME_LENGTH} characters`,
          example: 'cmdb',
        }),
      ),
      events: required(
        set(
          'What it is called for. Onboarded: a tenant is ready for the first time. Offboarding: a Tenant is being deleted, which waits for it.',
          named(
            'HookEvent',
            enumOf('Of what a hook is told.', ['Onboarded', 'Offboarding'], {
              example: 'Onboarded',
            }),
          ),
          { minItems: 1, maxItems: 2 },
        ),
      ),
      webhook,
      jenkins: jenkinsHook,
      slack: slackHook,
      secret: required(
        objectName("The Secret in the operator's namespace that has its credentials."),
      ),
      authorities: string('The certificate authorities that it trusts, PEM, and no other.', {
        pattern: '^\\s*-----BEGIN CERTIFICATE-----',
        maxLength: 65_536,
        must: 'certificates in PEM',
        absent: 'those that Node trusts',
      }),
      plainHttp: boolean(
        'Whether its address may be one of http: what is sent, credentials too, can then be read and changed on the way.',
        { absent: 'false' },
      ),
      timeoutSeconds: integer('How long one attempt may take, all its requests together.', {
        minimum: 1,
        maximum: 60,
        absent: '`10`',
      }),
      giveUpHours: integer(
        'After how many hours a Tenant that is being deleted no longer waits for it.',
        { minimum: 1, maximum: 720, absent: '`24`' },
      ),
      clusters: set('The clusters whose operators call it.', dnsLabel('A cluster.', 'eu1'), {
        minItems: 1,
        absent: 'all: each for the tenants that it has',
      }),
      classes: set('The TenantClasses for whose tenants it is called.', dnsLabel('A class.'), {
        minItems: 1,
        absent: 'all',
      }),
      since: dateTime(
        'Only for Tenants that were made after this: a hook that is added to a fleet is else called for all of it.',
      ),
    },
    { exactlyOneOf: ['webhook', 'jenkins', 'slack'] },
  ),
);

/** The calls of the operator when tenants are created and deleted. */
export const hooks = listMap('Whom the operator calls when tenants come and go.', 'name', hook, {
  maxItems: MAX_HOOKS,
  absent: 'nobody',
});

/** The maximum number of receipts in a status. */
export const MAX_RECEIPTS = 2 * MAX_HOOKS;

/** The maximum length of a reference or a message in a receipt, in characters. */
export const MAX_MESSAGE_LENGTH = 256;

/** What the operator knows about the delivery of one event to one hook. */
export const hookReceipt = object('What is known of one event that one hook is told of.', {
  hook: required(string('The hook.', { maxLength: MAX_HOOK_NAME_LENGTH })),
  event: required(enumOf('Of what it is told.', ['Onboarded', 'Offboarding'])),
  state: required(
    enumOf(
      'Sending: an attempt is under way, or the operator was stopped in one. Delivered: it was taken. Failed: the last attempt was not. GivenUp: the Tenant no longer waits for it.',
      ['Sending', 'Delivered', 'Failed', 'GivenUp'],
    ),
  ),
  key: required(
    string('By which the other side knows attempts at the same thing.', { maxLength: 64 }),
  ),
  since: required(dateTime('When the event was seen.')),
  attempts: required(integer('How often it was tried.', { minimum: 0 })),
  lastAttempt: dateTime('When it was tried last.'),
  nextAttempt: dateTime('When it is tried next, where it failed; absent where that is of no use.'),
  reference: string('By what it is found on the other side.', { maxLength: MAX_MESSAGE_LENGTH }),
  message: string('Why the last attempt failed.', { maxLength: MAX_MESSAGE_LENGTH }),
  declared: string('The declaration of the hook that it was tried with, as a digest.', {
    maxLength: 10,
  }),
});
