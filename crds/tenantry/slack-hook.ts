import { set } from './bounded.ts';
import { boolean, object, required, string } from '../../schema/language.ts';
import { hookAddress } from './hook-address.ts';
import { hookText } from './hook-facts.ts';
import { named } from './named.ts';

/** The default address of the Web API. */
export const SLACK_API = 'https://slack.com/api';

const NAME_PART = '([-_a-z0-9]|\\{(cluster|class)\\})*';

export const slackHook = named(
  'SlackHook',
  object(
    'A channel in Slack for each tenant: made when it comes, archived when it goes. The Secret has `token`, of a bot (`xoxb-...`) with the scopes `channels:manage`, `channels:read`, `channels:history` and `chat:write`, for private channels those of `groups` in their place, and `users:read.email` to invite.',
    {
      url: hookAddress(
        'The address of the Web API.',
        'https://slack-gov.com/api',
        `\`${SLACK_API}\``,
      ),
      channel: required(
        string(
          'The name of the channel. What {tenant}, {cluster} and {class} stand for may be cut, and gets a hash at its end then.',
          {
            pattern: `^${NAME_PART}\\{tenant\\}([-_a-z0-9]|\\{(cluster|class|tenant)\\})*$`,
            maxLength: 80,
            must: "lower-case letters, digits, '-' and '_', and {tenant}, at most 80 characters, in which {cluster} and {class} may stand",
            example: 'team-{tenant}',
          },
        ),
      ),
      private: boolean('Whether it is a private channel.', { absent: 'false' }),
      topic: hookText(
        'Its topic; what is longer than 250 characters is cut.',
        250,
        'Tenant {tenant}, team {contact.team}',
        'none',
      ),
      invite: set(
        'Who is invited, by their e-mail addresses in Slack. Who is not known there is told, and not invited.',
        string('An address.', {
          pattern: '^[^\\s@,<>]+@[^\\s@,<>]+$',
          maxLength: 254,
          must: 'an e-mail address',
          example: 'platform@example.com',
        }),
        { maxItems: 20, absent: 'nobody' },
      ),
      inviteContacts: set(
        "The keys of a tenant's `contact` whose values are e-mail addresses of people to invite too.",
        string('A key.', { minLength: 1, maxLength: 253, example: 'email' }),
        { maxItems: 5, absent: 'none' },
      ),
      onboarded: hookText(
        'What is said in the channel when it is made, in mrkdwn.',
        3000,
        'Welcome, {contact.team}: your namespaces are {namespaces}.',
        'nothing',
      ),
      offboarding: hookText(
        'What is said in the channel before it is archived, in mrkdwn.',
        3000,
        'The tenant {tenant} is being removed.',
        'nothing',
      ),
      archive: boolean('Whether the channel is archived when the tenant goes.', { absent: 'true' }),
    },
  ),
);
