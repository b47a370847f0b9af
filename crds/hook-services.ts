import {
  string,
  type Schema,
  enumOf,
  object,
  required,
  boolean,
} from '@tenantry/crd/schema/language';
import { map, set } from './schema-builders.ts';
import { named } from './named.ts';

/** The URL of a hook. A rule (`validateHooks`) requires https, and refuses a password in it. */
export const hookAddress = (description: string, example: string, absent?: string) =>
  string(description, {
    pattern: '^https?://[^\\s]+$',
    maxLength: 1024,
    must: 'an https address',
    example,
    ...(absent !== undefined && { absent }),
  });

/** The facts that a hook may send, in addition to `contact.KEY` and `label.KEY` of the Tenant. */
const HOOK_FACTS = [
  'key',
  'event',
  'at',
  'tenant',
  'uid',
  'class',
  'cluster',
  'namespaces',
] as const;

/** One fact, as a part of a pattern. */
const FACT = `(${HOOK_FACTS.join('|')}|(contact|label)\\.[A-Za-z0-9][-A-Za-z0-9_./]{0,252})`;

const LIST = `${HOOK_FACTS.join(', ')}, contact.KEY or label.KEY`;

/** The name of something that is known of a call. */
const hookFact = (description: string, example: string): Schema<string> =>
  string(description, {
    pattern: `^${FACT}$`,
    maxLength: 262,
    must: `one of ${LIST}`,
    example,
  });

/** A text with placeholders such as `{tenant}` for the facts of a call. */
const hookText = (
  description: string,
  maxLength: number,
  example: string,
  absent: string,
): Schema<string> =>
  string(description, {
    pattern: `^([^{}]|\\{${FACT}\\})+$`,
    maxLength,
    must: `a text of at most ${maxLength} characters, in which braces stand around one of ${LIST}`,
    example,
    absent,
  });

/** One name of a job or folder, as Jenkins allows it. `%` is allowed too, for branches (`feature%2Fa`). */
const jobName = '[A-Za-z0-9_][^/\\\\?*!@#$^&|<>\\[\\]:;]*';

export const jenkinsHook = named(
  'JenkinsHook',
  object(
    "A build of a job in Jenkins. The Secret has `username` and `token`, an API token of that user, who needs Overall/Read, and Job/Read and Job/Build on the job. With the user's password in its place, a crumb is asked for.",
    {
      url: required(
        hookAddress('The address of Jenkins, with its path.', 'https://ci.example.com/jenkins'),
      ),
      job: required(
        string('The job, behind the folders that it is in.', {
          pattern: `^${jobName}(/${jobName})*$`,
          maxLength: 512,
          must: "names with '/' between them, each beginning with a letter, a digit or '_'",
          example: 'platform/onboard-tenant',
        }),
      ),
      parameters: map(
        'What parameters of the job are set to. The job must have each of them: Jenkins drops those that it does not know.',
        hookFact('What it is set to.', 'tenant'),
        { example: { TENANT: 'tenant', TEAM: 'contact.team' }, absent: 'none but `keyParameter`' },
      ),
      keyParameter: string(
        'The parameter that gets the key of the call, by which a build is found again. The job must have it.',
        {
          pattern: '^[A-Za-z_][-A-Za-z0-9_.]*$',
          maxLength: 128,
          must: "a name of letters, digits, '_', '-' and '.'",
          absent: '`TENANTRY_KEY`',
        },
      ),
      wait: enumOf(
        'When the call counts as delivered. Queued: Jenkins has accepted it; it forgets its queue if it is killed. Started: the build has begun. Succeeded: the build has ended well; one that ended otherwise is not begun again, and may be rebuilt by hand.',
        ['Queued', 'Started', 'Succeeded'],
        { absent: '`Started`' },
      ),
    },
  ),
);

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
