import { fillTemplate } from '../wording.ts';
import type { HookCall } from '../sender.ts';

/** The most characters of a topic, and of a message. */
const LONGEST_TOPIC = 250;
const LONGEST_MESSAGE = 39_000;
/** The most characters of one value from a tenant. */
const LONGEST_VALUE = 1000;

/** Returns a message in mrkdwn. Values from a tenant are escaped: they mention nobody and cannot disguise a link. */
export function messageOf(text: string, call: HookCall): string {
  return cut(
    fillTemplate(text, call, (value) => escaped(oneLine(cut(value, LONGEST_VALUE)))),
    LONGEST_MESSAGE,
  );
}

/** Returns a topic, which has no markup. */
export function topicOf(text: string, call: HookCall): string {
  return cut(fillTemplate(text, call, oneLine), LONGEST_TOPIC);
}

/** Whether a topic equals the one that Slack shows, which may be escaped. */
export function isShownAs(topic: string, shown: string): boolean {
  return shown === topic || shown === escaped(topic);
}

/** https://docs.slack.dev/messaging/formatting-message-text: only these three characters are escaped. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Replaces line breaks and invisible characters by spaces. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  return `${characters.slice(0, longest - 1).join('')}…`;
}
