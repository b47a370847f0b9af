import { fillTemplate } from '../wording.ts';
import type { HookCall } from '../sender.ts';

/** Characters of a topic, and of a message. */
const LONGEST_TOPIC = 250;
const LONGEST_MESSAGE = 39_000;
/** Characters of one thing that a tenant says. */
const LONGEST_VALUE = 1000;

/** A message in mrkdwn. What a tenant says in it is text: it mentions nobody, and links to nothing by another name. */
export function messageOf(text: string, call: HookCall): string {
  return cut(
    fillTemplate(text, call, (value) => escaped(oneLine(cut(value, LONGEST_VALUE)))),
    LONGEST_MESSAGE,
  );
}

/** A topic, which has no mark-up. */
export function topicOf(text: string, call: HookCall): string {
  return cut(fillTemplate(text, call, oneLine), LONGEST_TOPIC);
}

/** Whether a topic is what Slack shows; that may be escaped. */
export function isShownAs(topic: string, shown: string): boolean {
  return shown === topic || shown === escaped(topic);
}

/** https://docs.slack.dev/messaging/formatting-message-text: these three, and no other. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Without line breaks and what else is not to be seen. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  return `${characters.slice(0, longest - 1).join('')}…`;
}
