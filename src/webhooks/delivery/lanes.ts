import { IN_FLIGHT_OF_ENDPOINT } from './sender.ts'

/** Attempts at a time over all endpoints: what a hundred dead ones hold is still not all of it. */
const MAX_IN_FLIGHT = 512
/**
 * Deliveries that are claimed for an endpoint beyond those in flight, so that it is sent what is there while the next are being
 * claimed, which takes two commits where many import: fewer for one that is slow or failing, whose claims would only run out;
 * and fewer where many endpoints share what can be sent within a lease, but never fewer than `least`.
 */
const CLAIMED_AHEAD = { first: 16, least: 60, most: 250, shared: 2_000 }

/** What one endpoint has under way. */
interface Lane<Claim> {
  queue: Claim[]
  inFlight: number
  /** What may be claimed beyond those in flight. */
  ahead: number
}

/** What is claimed and what is in flight, by endpoint, so that none delays another. */
export class Lanes<Claim extends { endpoint_id: string }> {
  readonly #lanes = new Map<string, Lane<Claim>>()
  #inFlight = 0

  get inFlight(): number {
    return this.#inFlight
  }

  /** How many deliveries an endpoint has under way, claimed or sent. */
  underWayOf(endpointId: string): number {
    const { queue, inFlight } = this.#lanes.get(endpointId) ?? newLane()
    return queue.length + inFlight
  }

  /** @returns how many deliveries an endpoint may have under way, as one of so many that have something due */
  widthOf(endpointId: string, among: number): number {
    const { least, most, shared } = CLAIMED_AHEAD
    const share = Math.max(least, Math.min(most, Math.floor(shared / among)))
    return IN_FLIGHT_OF_ENDPOINT + Math.min(this.#lanes.get(endpointId)?.ahead ?? newLane().ahead, share)
  }

  add(claim: Claim): void {
    let lane = this.#lanes.get(claim.endpoint_id)
    if (lane === undefined) {
      lane = newLane()
      this.#lanes.set(claim.endpoint_id, lane)
    }
    lane.queue.push(claim)
  }

  /** Starts what there is room for: an endpoint with less in flight comes first, and of those alike the one that waited longer. */
  start(attempt: (claim: Claim) => void): void {
    for (let level = 1; level <= IN_FLIGHT_OF_ENDPOINT; level++) {
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
    lane.ahead = quick ? Math.min(lane.ahead + 1, CLAIMED_AHEAD.most) : Math.floor(lane.ahead / 2)
  }

  /** Takes back what is claimed and not in flight. */
  empty(): Claim[] {
    return [...this.#lanes.values()].flatMap(lane => lane.queue.splice(0))
  }

  /** Forgets the endpoints that have nothing under way and nothing due: another keeps what is known of it. */
  forgetIdle(due: ReadonlySet<string>): void {
    for (const [id, { queue, inFlight }] of this.#lanes) {
      if (queue.length === 0 && inFlight === 0 && !due.has(id)) this.#lanes.delete(id)
    }
  }
}

function newLane(): Lane<never> {
  return { queue: [], inFlight: 0, ahead: CLAIMED_AHEAD.first }
}
