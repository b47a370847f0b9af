import { createHash } from 'node:crypto';
import type { SubjectAccessReviewSpec } from '@tenantry/kube/api/authorization';
import { omitUndefined } from '@tenantry/kube/mapping';
import { allow } from '../access/grant.ts';
import type { Client } from '../client/client.ts';
import { TokenBucket } from '../clock/pacing.ts';
import { systemClock, type Clock } from '../clock/clock.ts';
import { LruMap } from '../events/lru-map.ts';
import { TokenReview, type UserInfo } from '../kinds/authentication.ts';
import { SubjectAccessReview } from '../kinds/authorization.ts';
import type { Immutable } from '../kinds/kind.ts';

/** Milliseconds for which a decision is cached: allowed, and not allowed. */
const allowedTtl = 60_000;
const deniedTtl = 10_000;
const maxRemembered = 1000;
/**
 * The rate limit of reviews for tokens that were not seen lately: a burst, then one every so many milliseconds. Made-up
 * tokens must not use up the controllers' share of requests.
 */
const reviewRateLimit = { burst: 20, every: 500 };

interface CachedDecision {
  until: number;
  readonly decision: Promise<ScrapeDecision>;
  isAllowed?: boolean;
}

/** The access that is needed to check who may read metrics. */
export const scrapeAccess = [allow(TokenReview, 'create'), allow(SubjectAccessReview, 'create')];

/**
 * - `allowed`: RBAC allows `get` of the nonResourceURL.
 * - `forbidden`: the caller is authenticated, but not allowed.
 * - `unknown`: there is no token, or the API server does not know it.
 * - `busy`: there are too many unknown tokens to review.
 */
export type ScrapeDecision = 'allowed' | 'forbidden' | 'unknown' | 'busy';

interface ScrapeAccessProps {
  readonly client: Pick<Client, 'create'>;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Decides by the RBAC of the cluster who may read metrics. A TokenReview authenticates the bearer token, and a
 * SubjectAccessReview authorizes its user, as in kube-rbac-proxy and controller-runtime. Permission is cached for a
 * minute, refusal for ten seconds; tokens are kept as hashes. The scraper needs
 *
 *     rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
 */
export class ScrapeAccess {
  readonly #props: ScrapeAccessProps;
  readonly #clock: Clock;
  readonly #decisions = new LruMap<string, CachedDecision>(maxRemembered);
  readonly #reviews: TokenBucket;

  constructor(props: ScrapeAccessProps) {
    this.#props = props;
    this.#clock = props.clock ?? systemClock;
    this.#reviews = new TokenBucket(reviewRateLimit, this.#clock.now());
  }

  /**
   * Decides whether the sender of this header may get the path. Rejects if the API server cannot be reached, without
   * caching that.
   */
  async decide(authorization: string | undefined, path: string): Promise<ScrapeDecision> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return 'unknown';
    const key = createHash('sha256').update(`${path} ${token}`).digest('base64');
    const known = this.#decisions.get(key);
    const now = this.#clock.now();
    if (known && now < known.until) return known.decision;
    // Callers that were allowed before do not wait behind made-up tokens.
    const before = known?.isAllowed ? known : undefined;
    if (!before && !this.#reviews.take(now)) return 'busy';
    const entry: CachedDecision = { until: Infinity, decision: this.#review(token, path) };
    this.#decisions.set(key, entry);
    try {
      const decision = await entry.decision;
      entry.isAllowed = decision === 'allowed';
      entry.until = this.#clock.now() + (entry.isAllowed ? allowedTtl : deniedTtl);
      return decision;
    } catch (error) {
      if (before) this.#decisions.set(key, before);
      else this.#decisions.delete(key);
      throw error;
    }
  }

  async #review(token: string, path: string): Promise<ScrapeDecision> {
    const user = await this.#authenticate(token);
    if (user === undefined) return 'unknown';
    const { username, groups, uid, extra } = user;
    const spec: Immutable<SubjectAccessReviewSpec> = omitUndefined({
      user: username,
      groups,
      uid,
      extra,
      nonResourceAttributes: { path, verb: 'get' },
    });
    const { status } = await this.#props.client.create(SubjectAccessReview, { metadata: {}, spec });
    return status?.allowed === true && status.denied !== true ? 'allowed' : 'forbidden';
  }

  async #authenticate(token: string): Promise<Immutable<UserInfo> | undefined> {
    const { client } = this.#props;
    const { status } = await client.create(TokenReview, { metadata: {}, spec: { token } });
    return status?.authenticated === true ? status.user : undefined;
  }
}
