import type { Logger } from 'pino'
import { DAY, HOUR, MINUTE, toIso } from '#base/time.ts'
import type { AttemptOutcome, Claim } from './recording.ts'
import type { AttemptResult } from './sender.ts'

/**
 * How long an endpoint fails before the log reports it, and the least time between two reports of its lost deliveries, in
 * milliseconds.
 */
export const PATIENCE = HOUR
/** How long an endpoint fails before its organizer gets a mail. */
const MAILED_AFTER = DAY
/**
 * How long an endpoint fails before that is kept for the next server. So an endpoint that fails now and then causes no writes.
 */
const KEPT_AFTER = MINUTE

/** An attempt whose outcome was recorded. */
export interface RecordedAttempt {
  claim: Claim
  result: AttemptResult
  outcome: AttemptOutcome
}

/**
 * News of an endpoint that the database must keep: when its failure began, in milliseconds or null, and whether to mail the
 * organizer.
 */
export interface EndpointNews {
  since: number | null
  isMailed: boolean
}

/** The state of an endpoint that has failed. */
interface Standing {
  /** When the first attempt began that failed since the last success. It is null after a success. */
  failingSince: number | null
  kept: boolean
  notified: boolean
  /** Whether the organizer got a mail about this failure. */
  mailed: boolean
  /** How many deliveries have failed for good without a report, and when the last report was. */
  lost: number
  notifiedOfLost: number
}

/**
 * Reports failing endpoints to the log, each once until it works again. It reports lost deliveries of an endpoint at most once an
 * hour. It logs only ids, because the rest belongs to the organizer or came from outside.
 */
export class EndpointWatch {
  readonly #log: Logger
  /** It has few entries, because organizers make each endpoint by hand. */
  readonly #standings = new Map<string, Standing>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Continues from what was kept: when each endpoint began to fail, in milliseconds. */
  resume(kept: readonly { id: string; failing_since: number }[]): void {
    for (const { id, failing_since: since } of kept) {
      const standing = this.#standingOf(id)
      standing.failingSince = since
      standing.kept = true
    }
  }

  /** @returns what the database must keep now, or undefined */
  note({ claim, result, outcome }: RecordedAttempt): EndpointNews | undefined {
    const { id, endpoint_id: endpointId, manual } = claim
    if (result.succeeded) return this.#noteSuccess(endpointId)
    const standing = this.#standingOf(endpointId)
    // The clock may have been ahead before.
    const since = Math.min(standing.failingSince ?? result.startedAt, result.startedAt)
    standing.failingSince = since
    if (!standing.notified && result.endedAt - since >= PATIENCE) {
      standing.notified = true
      this.#log.warn(
        { endpoint_id: endpointId, since: toIso(since) },
        'an endpoint fails for an hour or more',
      )
    }
    // A manual attempt does not change the schedule.
    if (outcome === 'failed' && !manual) {
      standing.lost++
      if (Math.abs(result.endedAt - standing.notifiedOfLost) >= PATIENCE) {
        this.#log.warn(
          { endpoint_id: endpointId, delivery_id: id, deliveries: standing.lost },
          'deliveries to an endpoint have failed for good',
        )
        standing.lost = 0
        standing.notifiedOfLost = result.endedAt
      }
    }
    const isMailed = !standing.mailed && result.endedAt - since >= MAILED_AFTER
    if (!isMailed && (standing.kept || result.endedAt - since < KEPT_AFTER)) return undefined
    standing.kept = true
    standing.mailed ||= isMailed
    return { since, isMailed }
  }

  /** Forgets what was kept about an endpoint, because the write was lost. The next attempt reports it again. */
  forget(endpointId: string): void {
    const standing = this.#standings.get(endpointId)
    if (standing !== undefined) Object.assign(standing, { kept: false, mailed: false })
  }

  #noteSuccess(endpointId: string): EndpointNews | undefined {
    const standing = this.#standings.get(endpointId)
    if (standing === undefined || standing.failingSince === null) return undefined
    if (standing.notified) this.#log.info({ endpoint_id: endpointId }, 'the endpoint works again')
    const { kept } = standing
    Object.assign(standing, { failingSince: null, kept: false, notified: false, mailed: false })
    return kept ? { since: null, isMailed: false } : undefined
  }

  #standingOf(endpointId: string): Standing {
    let standing = this.#standings.get(endpointId)
    if (standing === undefined) {
      standing = {
        failingSince: null,
        kept: false,
        notified: false,
        mailed: false,
        lost: 0,
        notifiedOfLost: Number.NEGATIVE_INFINITY,
      }
      this.#standings.set(endpointId, standing)
    }
    return standing
  }
}
