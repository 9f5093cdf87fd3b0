import { MAX_IN_FLIGHT_PER_ENDPOINT } from './sender.ts'

/** The most attempts at a time over all endpoints. A hundred dead endpoints cannot take all of them. */
const MAX_IN_FLIGHT = 512
/**
 * How many deliveries are claimed for an endpoint beyond those in flight. The queued ones are sent while the next are being
 * claimed, which takes two commits during imports. A slow or failing endpoint gets fewer, because its claims would only expire.
 * Many endpoints share what can be sent within a lease, but each gets at least `least`.
 */
const CLAIMED_AHEAD = { initial: 16, least: 60, max: 250, shared: 2_000 }

/** The deliveries that one endpoint has under way. */
interface Lane<Claim> {
  queue: Claim[]
  inFlight: number
  /** How many deliveries may be claimed beyond those in flight. */
  ahead: number
}

/** Keeps the claims and the attempts in flight by endpoint, so that no endpoint delays another. */
export class Lanes<Claim extends { endpoint_id: string }> {
  readonly #lanes = new Map<string, Lane<Claim>>()
  #inFlight = 0

  get inFlight(): number {
    return this.#inFlight
  }

  /** Returns how many deliveries an endpoint has under way, claimed or sent. */
  underWayOf(endpointId: string): number {
    const { queue, inFlight } = this.#lanes.get(endpointId) ?? newLane()
    return queue.length + inFlight
  }

  /** @returns how many deliveries an endpoint may have under way, as one of `among` endpoints that have something due */
  widthOf(endpointId: string, among: number): number {
    const { least, max, shared } = CLAIMED_AHEAD
    const share = Math.max(least, Math.min(max, Math.floor(shared / among)))
    return MAX_IN_FLIGHT_PER_ENDPOINT + Math.min(this.#lanes.get(endpointId)?.ahead ?? newLane().ahead, share)
  }

  add(claim: Claim): void {
    let lane = this.#lanes.get(claim.endpoint_id)
    if (lane === undefined) {
      lane = newLane()
      this.#lanes.set(claim.endpoint_id, lane)
    }
    lane.queue.push(claim)
  }

  /**
   * Starts as many claims as fit. The endpoint with fewer attempts in flight comes first, then the one that has waited longer.
   */
  start(attempt: (claim: Claim) => void): void {
    for (let level = 1; level <= MAX_IN_FLIGHT_PER_ENDPOINT; level++) {
      for (const [endpointId, lane] of [...this.#lanes]) {
        if (this.#inFlight >= MAX_IN_FLIGHT) return
        const claim = lane.inFlight < level ? lane.queue.shift() : undefined
        if (claim === undefined) continue
        lane.inFlight++
        this.#inFlight++
        this.#lanes.delete(endpointId)
        this.#lanes.set(endpointId, lane)
        attempt(claim)
      }
    }
  }

  /** @param quick whether the endpoint answered well and soon */
  end({ endpoint_id: endpointId }: Claim, quick: boolean): void {
    const lane = this.#lanes.get(endpointId) as Lane<Claim>
    lane.inFlight--
    this.#inFlight--
    lane.ahead = quick ? Math.min(lane.ahead + 1, CLAIMED_AHEAD.max) : Math.floor(lane.ahead / 2)
  }

  /** Takes back the claims that are not in flight. */
  empty(): Claim[] {
    return [...this.#lanes.values()].flatMap(lane => lane.queue.splice(0))
  }

  /** Forgets the endpoints that have nothing under way and nothing due. The others keep their pace. */
  forgetIdle(due: ReadonlySet<string>): void {
    for (const [id, { queue, inFlight }] of this.#lanes) {
      if (queue.length === 0 && inFlight === 0 && !due.has(id)) this.#lanes.delete(id)
    }
  }
}

function newLane(): Lane<never> {
  return { queue: [], inFlight: 0, ahead: CLAIMED_AHEAD.initial }
}
