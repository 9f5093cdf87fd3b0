import type { Logger } from 'pino'
import { type Clock, SECOND } from '#base/time.ts'
import { type Database, INSTANCE, type InstanceReadTx, type InstanceWriteTx } from '#machinery/db/port.ts'
import { WorkLoop } from '#machinery/db/work-loop.ts'
import * as endpointStore from '../endpoint-store.ts'
import { isSigning } from '../endpoints.ts'
import { queueFailing } from '../mails.ts'
import { type EndpointNews, EndpointWatch, type RecordedAttempt } from './endpoint-watch.ts'
import { Lanes } from './lanes.ts'
import { type AttemptOutcome, type Claim, type Ended, recordAttempt } from './recording.ts'
import type { AttemptResult, Sender } from './sender.ts'
import * as store from './store.ts'

/** How soon an answer has to come to count as quick, in milliseconds. */
const QUICK = 100
/** A claim moves the delivery this far into the future before anything is sent. That is past the deadline of an attempt. */
const LEASE = 20 * SECOND
/** The part of a lease that must be left when its attempt begins. It is the deadline, and a little time to record the outcome. */
const LEASE_LEFT = 11 * SECOND
/** The most claims that one write makes. They are few, so that no check-in waits for the write. */
const CLAIMS_PER_WRITE = 256
/** How long stopping waits for the attempts in flight, in milliseconds. */
const STOP_TIMEOUT = 5 * SECOND

export interface DeliveryLoopOptions {
  db: Database
  clock: Clock
  log: Logger
  sender: Sender
  /** Returns a number from 0 to 1, for the jitter. */
  /** An answer within this time counts as quick, in milliseconds. */
  quick?: number | undefined
  random?: () => number
  /** Receives every attempt whose outcome was recorded. */
  observe?: ((outcome: AttemptOutcome) => void) | undefined
}

/**
 * Sends the deliveries of the outbox. It claims a delivery in the database before it sends it, and concludes it there afterwards.
 * A crash at any point loses nothing, because a delivery that may have been sent is sent again. Each endpoint has a lane of its
 * own.
 */
export class DeliveryLoop {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #sender: Sender
  readonly #quick: number
  readonly #random: () => number
  readonly #observe: (outcome: AttemptOutcome) => void
  readonly #watch: EndpointWatch
  readonly #workLoop: WorkLoop
  readonly #lanes = new Lanes<Claim>()
  readonly #claimed = new Set<string>()
  #ended: Ended[] = []
  #watching = false
  #stopping = false

  constructor({ db, clock, log, sender, quick = QUICK, random = Math.random, observe }: DeliveryLoopOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#sender = sender
    this.#quick = quick
    this.#random = random
    this.#observe = observe ?? (() => undefined)
    this.#watch = new EndpointWatch(log)
    const failed = (error: unknown) => log.warn({ err: error }, 'the deliveries wait for the database')
    this.#workLoop = new WorkLoop({ db, work: () => this.#run(), failed })
  }

  /** The number of attempts under way. */
  get inFlight(): number {
    return this.#lanes.inFlight
  }

  /** Starts to look for due deliveries, after every commit and whenever it is woken. */
  start(): void {
    this.#workLoop.start()
  }

  /** Makes the loop look for due deliveries. */
  wake(): void {
    this.#workLoop.wake()
  }

  /** Waits until no delivery is due. */
  settled(): Promise<void> {
    return this.#workLoop.settled()
  }

  /** Stops the loop. It claims nothing more, lets the attempts in flight end, and releases the claims that were not sent. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const claim of this.#lanes.empty()) this.#ended.push({ claim, result: undefined })
    const deadline = performance.now() + STOP_TIMEOUT
    while ((this.#lanes.inFlight > 0 || this.#workLoop.isBusy) && performance.now() < deadline) await pause()
    await this.#sender.close()
    while (this.#lanes.inFlight > 0 || this.#workLoop.isBusy) await pause()
    await this.#run().catch(error => this.#log.warn({ err: error }, 'the last deliveries will be sent again'))
  }

  /**
   * Records the attempts that ended, claims the due ones and starts them. It uses one write for all of them, and none if there is
   * nothing to do, because each commit wakes the loop again.
   */
  async #run(): Promise<void> {
    if (!this.#watching) {
      this.#watch.resume(await this.#db.read(INSTANCE, store.listFailing))
      this.#watching = true
    }
    const due = this.#stopping ? [] : await this.#db.read(INSTANCE, tx => this.#findDue(tx))
    const ended = this.#ended.splice(0)
    if (ended.length === 0 && due.length === 0) return
    let claims: Claim[]
    let recorded: RecordedAttempt[] = []
    try {
      claims = await this.#db.write(INSTANCE, async tx => {
        recorded = []
        for (const { claim, result } of ended) {
          const outcome = await recordAttempt(tx, { claim, result }, this.#random())
          if (outcome !== undefined && result !== undefined) recorded.push({ claim, result, outcome })
        }
        const claimed: Claim[] = []
        for (const claim of due) {
          const take = claim.manual ? store.claimManual : store.claim
          const changed = await take(tx, claim.id, { until: claim.until, due: tx.clock() }, await tx.now())
          if (changed > 0) claimed.push(claim)
        }
        return claimed
      })
    } catch (error) {
      this.#ended.unshift(...ended)
      throw error
    }
    for (const { outcome } of recorded) this.#observe(outcome)
    this.#noteEndpoints(recorded)
    for (const { claim } of ended) this.#claimed.delete(holdOf(claim))
    for (const claim of claims) {
      this.#claimed.add(holdOf(claim))
      this.#lanes.add(claim)
    }
    this.#startQueued()
  }

  /**
   * Stores for the next server since when an endpoint fails, and mails its organizer. Nobody waits for it. If the write is lost,
   * the failure is only reported later.
   */
  #noteEndpoints(recorded: readonly RecordedAttempt[]): void {
    const changed = new Map<string, EndpointNews & { accountId: string }>()
    for (const attempt of recorded) {
      const news = this.#watch.note(attempt)
      const { endpoint_id: id, account_id: accountId } = attempt.claim
      if (news !== undefined) changed.set(id, { accountId, ...news })
    }
    if (changed.size === 0) return
    const keep = async (tx: InstanceWriteTx) => {
      for (const [id, { accountId, since, isMailed }] of changed) {
        const ofAccount = tx.of(accountId)
        const isThere = await endpointStore.setFailingSince(ofAccount, id, since, await tx.now())
        if (isThere && isMailed && since !== null) await queueFailing(ofAccount, id, since)
      }
    }
    const kept = this.#db.write(INSTANCE, keep).catch(() => {
      for (const id of changed.keys()) this.#watch.forget(id)
    })
    this.#workLoop.begin(kept)
  }

  /** Finds the due deliveries that are not under way yet. Those of the endpoints with the least under way come first. */
  async #findDue(tx: InstanceReadTx): Promise<Claim[]> {
    const now = this.#clock()
    const dueEndpoints = await store.listDueEndpoints(tx, now)
    this.#lanes.forgetIdle(new Set(dueEndpoints.map(({ id }) => id)))
    const endpoints = dueEndpoints
      .map(({ id }) => ({
        id,
        width: this.#lanes.widthOf(id, dueEndpoints.length),
        underWay: this.#lanes.underWayOf(id),
      }))
      .filter(({ width, underWay }) => underWay < width)
      .sort((a, b) => a.underWay - b.underWay)
    const until = now + LEASE
    const due: Claim[] = []
    for (const { id, width, underWay } of endpoints) {
      const room = Math.min(width - underWay, CLAIMS_PER_WRITE - due.length)
      if (room === 0) break
      // The limit is the width of the lane, because these rows may be the ones that the lane already holds.
      const byHand = await store.listDueManual(tx, id, now, width)
      const scheduled = await store.listDue(tx, id, now, width)
      // Manual and scheduled attempts take turns, because somebody may have asked for a million by hand.
      const free = Array.from({ length: Math.max(byHand.length, scheduled.length) }, (_, at) => [
        ...byHand.slice(at, at + 1).map(row => ({ ...row, manual: true, until })),
        ...scheduled.slice(at, at + 1).map(row => ({ ...row, manual: false, until })),
      ])
        .flat()
        .filter(claim => !this.#claimed.has(holdOf(claim)))
      due.push(...free.slice(0, room))
    }
    return due
  }

  #startQueued(): void {
    this.#lanes.start(claim => {
      const ended = this.#attempt(claim).then(result => {
        this.#lanes.end(claim, result?.succeeded === true && result.duration < this.#quick)
        this.#ended.push({ claim, result })
        this.#startQueued()
      })
      this.#workLoop.begin(ended)
    })
  }

  /** Makes an attempt with the delivery and the endpoint as they are now, or releases the claim. It never throws. */
  async #attempt(claim: Claim): Promise<AttemptResult | undefined> {
    try {
      const now = this.#clock()
      const target = await this.#db.read(INSTANCE, tx => store.findTarget(tx, claim.id))
      if (this.#stopping || target?.enabled !== 1 || claim.until - now < LEASE_LEFT) return undefined
      if ((claim.manual ? target.manual_attempt_at : target.next_attempt_at) === null) return undefined
      const { previous_secret: previous, previous_secret_expires_at: expires } = target
      const secrets =
        previous !== null && expires !== null && isSigning(expires, now)
          ? [target.secret, previous]
          : [target.secret]
      const result = await this.#sender.send({
        endpointId: claim.endpoint_id,
        eventId: claim.event_id,
        type: claim.type,
        body: target.body,
        url: target.url,
        secrets,
      })
      // An attempt that the stop has cut off says nothing about the endpoint.
      return this.#stopping && result.error !== null ? undefined : result
    } catch (error) {
      this.#log.error({ err: error, delivery_id: claim.id }, 'a delivery could not be attempted')
      return undefined
    }
  }
}

function holdOf(claim: Claim): string {
  return `${claim.id} ${claim.manual}`
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 10))
}
