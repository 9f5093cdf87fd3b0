import type { Logger } from 'pino'
import { DAY, HOUR, MINUTE, toIso } from '../../time.ts'
import type { AttemptOutcome, Claim } from './recording.ts'
import type { AttemptResult } from './sender.ts'

/** How long an endpoint fails before it is told of, and how often its lost deliveries are, in milliseconds. */
export const PATIENCE = HOUR
/** How long it fails before its organizer gets a mail. */
const MAILED_AFTER = DAY
/** How long it fails before that is kept for the next server, so that one which fails now and then causes no writes. */
const KEPT_AFTER = MINUTE

/** An attempt whose outcome was recorded. */
export interface RecordedAttempt {
  claim: Claim
  result: AttemptResult
  outcome: AttemptOutcome
}

/** What is to be kept of an endpoint: since when it fails, in milliseconds, or null; and whether its organizer is to be told. */
export interface EndpointNews {
  since: number | null
  isMailed: boolean
}

/** How it stands with an endpoint that has failed. */
interface Standing {
  /** When the first attempt began that failed since one succeeded; null once one has. */
  failingSince: number | null
  kept: boolean
  told: boolean
  /** That its organizer was told of this failure. */
  mailed: boolean
  /** Deliveries that have failed for good and were not told of yet, and when some were. */
  lost: number
  toldOfLost: number
}

/**
 * Tells the log of endpoints that fail, each once until it works again, and of the deliveries that are lost to one, once an
 * hour at most. It names ids alone: the rest is the organizer's, or came from outside.
 */
export class EndpointWatch {
  readonly #log: Logger
  /** Of few endpoints, as organizers make each by hand. */
  readonly #standings = new Map<string, Standing>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Goes on from what was kept: since when each endpoint fails, in milliseconds. */
  resume(kept: readonly { id: string; failing_since: number }[]): void {
    for (const { id, failing_since: since } of kept) {
      const standing = this.#standingOf(id)
      standing.failingSince = since
      standing.kept = true
    }
  }

  /** @returns where something is to be kept anew */
  note({ claim, result, outcome }: RecordedAttempt): EndpointNews | undefined {
    const { id, endpoint_id: endpointId, manual } = claim
    if (result.succeeded) return this.#noteSuccess(endpointId)
    const standing = this.#standingOf(endpointId)
    // The clock may have been ahead.
    const since = Math.min(standing.failingSince ?? result.startedAt, result.startedAt)
    standing.failingSince = since
    if (!standing.told && result.endedAt - since >= PATIENCE) {
      standing.told = true
      this.#log.warn(
        { endpoint_id: endpointId, since: toIso(since) },
        'an endpoint fails for an hour or more',
      )
    }
    // One by hand changes nothing of the schedule.
    if (outcome === 'failed' && !manual) {
      standing.lost++
      if (Math.abs(result.endedAt - standing.toldOfLost) >= PATIENCE) {
        this.#log.warn(
          { endpoint_id: endpointId, delivery_id: id, deliveries: standing.lost },
          'deliveries to an endpoint have failed for good',
        )
        standing.lost = 0
        standing.toldOfLost = result.endedAt
      }
    }
    const isMailed = !standing.mailed && result.endedAt - since >= MAILED_AFTER
    if (!isMailed && (standing.kept || result.endedAt - since < KEPT_AFTER)) return undefined
    standing.kept = true
    standing.mailed ||= isMailed
    return { since, isMailed }
  }

  /** What was to be kept was lost: it is told once more. */
  forget(endpointId: string): void {
    const standing = this.#standings.get(endpointId)
    if (standing !== undefined) Object.assign(standing, { kept: false, mailed: false })
  }

  #noteSuccess(endpointId: string): EndpointNews | undefined {
    const standing = this.#standings.get(endpointId)
    if (standing === undefined || standing.failingSince === null) return undefined
    if (standing.told) this.#log.info({ endpoint_id: endpointId }, 'the endpoint works again')
    const { kept } = standing
    Object.assign(standing, { failingSince: null, kept: false, told: false, mailed: false })
    return kept ? { since: null, isMailed: false } : undefined
  }

  #standingOf(endpointId: string): Standing {
    let standing = this.#standings.get(endpointId)
    if (standing === undefined) {
      standing = {
        failingSince: null,
        kept: false,
        told: false,
        mailed: false,
        lost: 0,
        toldOfLost: Number.NEGATIVE_INFINITY,
      }
      this.#standings.set(endpointId, standing)
    }
    return standing
  }
}
