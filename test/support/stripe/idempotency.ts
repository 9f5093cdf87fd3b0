import { DAY } from './clock.ts'
import { StripeRefusal } from './errors.ts'

/** An answer, whose body is the bytes themselves, so that a replay is the same to the last byte. */
export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
}

interface Kept {
  at: number
  path: string
  parameters: string
  /** It is null while the first request is under way. */
  answer: Answer | null
  requestId: string
}

/**
 * The keys of one account in one mode. https://docs.stripe.com/api/idempotent_requests: results are kept once an endpoint has begun
 * to run, whatever they are; what failed validation, or met a request under way, is not; keys go after 24 hours.
 */
export class IdempotencyKeys {
  private readonly kept = new Map<string, Kept>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** The answer of an earlier request, or null for who is the first and must `keep` or `release`. */
  take(
    key: string,
    request: { path: string; parameters: string; requestId: string },
  ): (Answer & { requestId: string }) | null {
    if (key.length > 255) {
      throw mismatch(`The idempotency key is too long; it may have up to 255 characters.`)
    }
    const kept = this.kept.get(key)
    if (!kept || kept.at <= this.now() - DAY) {
      this.kept.set(key, { ...request, at: this.now(), answer: null })
      return null
    }
    if (kept.path !== request.path) {
      throw mismatch(
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${request.path}' vs '${kept.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    }
    if (kept.parameters !== request.parameters) {
      throw mismatch(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      )
    }
    if (kept.answer) return { ...kept.answer, requestId: kept.requestId }
    throw new StripeRefusal(
      409,
      {
        type: 'invalid_request_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      },
      { validation: true },
    )
  }

  keep(key: string, answer: Answer): void {
    const kept = this.kept.get(key)
    if (kept) kept.answer = answer
  }

  release(key: string): void {
    this.kept.delete(key)
  }
}

function mismatch(message: string): StripeRefusal {
  return new StripeRefusal(400, { type: 'idempotency_error', message }, { validation: true })
}
