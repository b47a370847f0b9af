import { dateTime, enumOf, integer, object, required, string } from '../../schema/language.ts';
import { LONGEST_HOOK_NAME, MOST_HOOKS } from './hooks.ts';

/** The maximum number of receipts in a status. */
export const MOST_RECEIPTS = 2 * MOST_HOOKS;

/** The maximum length of a reference or a message in a receipt, in characters. */
export const LONGEST_SAID = 256;

/** What the operator knows about the delivery of one event to one hook. */
export const hookReceipt = object('What is known of one event that one hook is told of.', {
  hook: required(string('The hook.', { maxLength: LONGEST_HOOK_NAME })),
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
  reference: string('By what it is found on the other side.', { maxLength: LONGEST_SAID }),
  message: string('Why the last attempt failed.', { maxLength: LONGEST_SAID }),
  declared: string('The declaration of the hook that it was tried with, as a digest.', {
    maxLength: 10,
  }),
});
