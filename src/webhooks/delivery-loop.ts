import { CronJob } from 'cron'
import type { Logger } from 'pino'
import { readInstance } from '../db/instance.ts'
import type { Database, ReadTx } from '../db/port.ts'
import { type Clock, SECOND } from '../time.ts'
import * as store from './delivery-store.ts'
import { type AttemptOutcome, type Claim, type Ended, recordAttempt } from './recording.ts'
import { type AttemptResult, IN_FLIGHT_OF_ENDPOINT, type Sender } from './sender.ts'

/** Attempts at a time over all endpoints: what a hundred dead ones hold is still not all of it. */
const MAX_IN_FLIGHT = 512
/** Deliveries that are claimed for an endpoint beyond those in flight, so that one commit serves many. */
const CLAIMED_AHEAD = 16
/** What an endpoint may have under way, claimed or sent. */
const LANE = IN_FLIGHT_OF_ENDPOINT + CLAIMED_AHEAD
/** A claim moves the delivery this far into the future before anything is sent: past the deadline of an attempt. */
const LEASE = 20 * SECOND
/** What must be left of a lease when its attempt begins: the deadline, and a little to record how it ended. */
const LEASE_LEFT = 11 * SECOND
/** Claims that one write makes, so that no check-in waits for it. */
const CLAIMS_A_WRITE = 256
/** How long stopping waits for the attempts in flight. */
const STOP_TIMEOUT = 5 * SECOND

/** What one endpoint has under way. */
interface Lane {
  queue: Claim[]
  inFlight: number
}

export interface DeliveryLoopOptions {
  db: Database
  clock: Clock
  log: Logger
  sender: Sender
  /** From 0 to 1, for the jitter. */
  random?: () => number
  /** Told of every attempt whose outcome was recorded. */
  observe?: ((outcome: AttemptOutcome) => void) | undefined
}

/**
 * Sends what the outbox holds. A delivery is claimed in the database before it is sent and concluded there afterwards, so
 * that a crash at any point loses nothing: what may have been sent is sent again. Each endpoint has a lane of its own.
 */
export class DeliveryLoop {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #sender: Sender
  readonly #random: () => number
  readonly #observe: (outcome: AttemptOutcome) => void
  readonly #lanes = new Map<string, Lane>()
  readonly #held = new Set<string>()
  /** The instant of the latest write that was seen, in milliseconds. */
  #latestWrite = 0
  #ended: Ended[] = []
  #inFlight = 0
  #turning = false
  #again = false
  #stopping = false
  #sweep: CronJob | undefined

  constructor({ db, clock, log, sender, random = Math.random, observe }: DeliveryLoopOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#sender = sender
    this.#random = random
    this.#observe = observe ?? (() => undefined)
  }

  /** Attempts under way. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Looks for what is due after every commit, and each second for what became due by time alone. */
  start(): void {
    this.#db.onCommit(() => this.wake())
    this.#sweep = CronJob.from({ cronTime: '* * * * * *', start: true, onTick: () => this.wake() })
    this.wake()
  }

  /** Has the loop look for what is due. Costs little, as calls that come together become one turn. */
  wake(): void {
    if (this.#turning) {
      this.#again = true
      return
    }
    this.#turning = true
    setImmediate(async () => {
      try {
        do {
          this.#again = false
          await this.#turn()
        } while (this.#again)
      } catch (error) {
        // The sweep tries again.
        this.#log.warn({ err: error }, 'the deliveries wait for the database')
      } finally {
        this.#turning = false
      }
    })
  }

  /** Claims nothing more, lets the attempts in flight end, and gives back the claims that were not sent. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#sweep?.stop()
    for (const lane of this.#lanes.values()) {
      for (const claim of lane.queue.splice(0)) this.#ended.push({ claim, result: undefined })
    }
    const deadline = performance.now() + STOP_TIMEOUT
    while ((this.#inFlight > 0 || this.#turning) && performance.now() < deadline) await pause()
    await this.#sender.close()
    while (this.#inFlight > 0 || this.#turning) await pause()
    await this.#turn().catch(error =>
      this.#log.warn({ err: error }, 'the last deliveries will be sent again'),
    )
  }

  /**
   * Records what ended, claims what is due, and starts it: one write for all of them, and none where nothing is to be done,
   * as each commit wakes the loop again.
   */
  async #turn(): Promise<void> {
    const due = this.#stopping ? [] : await this.#db.read(tx => this.#findDue(tx))
    const now = this.#now()
    const ended = this.#ended.splice(0)
    if (ended.length === 0 && due.length === 0) return
    let claims: Claim[]
    let outcomes: AttemptOutcome[] = []
    try {
      claims = await this.#db.write(async tx => {
        outcomes = []
        for (const each of ended) {
          const outcome = await recordAttempt(tx, each, now, this.#latestWrite, this.#random())
          if (outcome !== undefined) outcomes.push(outcome)
        }
        const claimed: Claim[] = []
        for (const claim of due) {
          const take = claim.manual ? store.claimByHand : store.claim
          if ((await take(tx, claim.id, claim.until, now)) > 0) claimed.push(claim)
        }
        return claimed
      })
    } catch (error) {
      this.#ended.unshift(...ended)
      throw error
    }
    for (const outcome of outcomes) this.#observe(outcome)
    for (const { claim } of ended) this.#held.delete(holdOf(claim))
    for (const claim of claims) {
      this.#held.add(holdOf(claim))
      this.#laneOf(claim.endpoint_id).queue.push(claim)
    }
    this.#startQueued()
  }

  /** What is due and not under way already, of the endpoints with the least under way first. */
  async #findDue(tx: ReadTx): Promise<Claim[]> {
    this.#latestWrite = (await readInstance(tx)).latest_write_at
    const now = this.#now()
    const endpoints = (await store.listDueEndpoints(tx, now))
      .map(({ id }) => ({ id, room: this.#roomOf(id) }))
      .filter(({ room }) => room > 0)
      .sort((a, b) => b.room - a.room)
    const until = now + LEASE
    const due: Claim[] = []
    for (const { id, room } of endpoints) {
      if (due.length >= CLAIMS_A_WRITE) break
      // As many as a lane holds: some of them may be those that it holds.
      const byHand = await store.listDueByHand(tx, id, now, LANE)
      const scheduled = await store.listDue(tx, id, now, LANE)
      const free = [
        ...byHand.map(row => ({ ...row, manual: true, until })),
        ...scheduled.map(row => ({ ...row, manual: false, until })),
      ].filter(claim => !this.#held.has(holdOf(claim)))
      due.push(...free.slice(0, room))
    }
    return due
  }

  /** Starts what there is room for: an endpoint with less in flight comes first, and of those alike the one that waited longer. */
  #startQueued(): void {
    for (let level = 1; level <= IN_FLIGHT_OF_ENDPOINT; level++) {
      for (const [endpointId, lane] of [...this.#lanes]) {
        if (this.#inFlight >= MAX_IN_FLIGHT) return
        const claim = lane.inFlight < level ? lane.queue.shift() : undefined
        if (claim === undefined) continue
        this.#start(lane, claim)
        this.#lanes.delete(endpointId)
        this.#lanes.set(endpointId, lane)
      }
    }
  }

  #start(lane: Lane, claim: Claim): void {
    lane.inFlight++
    this.#inFlight++
    void this.#attempt(claim).then(result => {
      lane.inFlight--
      this.#inFlight--
      if (lane.inFlight === 0 && lane.queue.length === 0) this.#lanes.delete(claim.endpoint_id)
      this.#ended.push({ claim, result })
      this.#startQueued()
      this.wake()
    })
  }

  /** Makes an attempt with what the delivery and its endpoint are now, or gives the claim back. Never throws. */
  async #attempt(claim: Claim): Promise<AttemptResult | undefined> {
    try {
      const now = this.#clock()
      const target = await this.#db.read(tx => store.findTarget(tx, claim.id))
      if (this.#stopping || target?.enabled !== 1 || claim.until - now < LEASE_LEFT) return undefined
      if ((claim.manual ? target.manual_attempt_at : target.next_attempt_at) === null) return undefined
      const { previous_secret: previous, previous_secret_expires_at: expires } = target
      const secrets =
        previous !== null && expires !== null && expires > now ? [target.secret, previous] : [target.secret]
      const result = await this.#sender.send({
        endpointId: claim.endpoint_id,
        eventId: claim.event_id,
        type: claim.type,
        body: claim.body,
        url: target.url,
        secrets,
      })
      // An attempt that was cut off by stopping tells nothing of the endpoint.
      return this.#stopping && result.error !== null ? undefined : result
    } catch (error) {
      this.#log.error({ err: error, delivery_id: claim.id }, 'a delivery could not be attempted')
      return undefined
    }
  }

  /** As in a write, never before the latest one: what is due at once is so even when the clock was set back. */
  #now(): number {
    return Math.max(this.#clock(), this.#latestWrite)
  }

  #laneOf(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId)
    if (lane === undefined) {
      lane = { queue: [], inFlight: 0 }
      this.#lanes.set(endpointId, lane)
    }
    return lane
  }

  #roomOf(endpointId: string): number {
    const lane = this.#lanes.get(endpointId)
    return LANE - (lane === undefined ? 0 : lane.queue.length + lane.inFlight)
  }
}

function holdOf(claim: Claim): string {
  return `${claim.id} ${claim.manual}`
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 10))
}
