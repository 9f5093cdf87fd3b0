/**
 * Names what goes wrong with a request: `slow` does it and answers after `ms`; `error after` does it and answers 500, which its key
 * remembers; `error before` answers 500 and does nothing; `drop before` and `drop after` close the connection instead of answering;
 * `rate limit` and `lock timeout` are 429; `html` is the page of a proxy, with status 502.
 */
export type FaultKind =
  | 'drop after'
  | 'drop before'
  | 'error after'
  | 'error before'
  | 'html'
  | 'lock timeout'
  | 'rate limit'
  | 'slow'

export interface Fault {
  kind: FaultKind
  method: 'DELETE' | 'GET' | 'POST'
  /** The path of an endpoint, such as `/v1/refunds/:id`, or of one object. */
  path: string
  /** The nth request from now is the first that it meets. The default is 1. */
  nth?: number
  /**
   * The number of requests in a row that it meets. The default is 1. stripe-node repeats a dropped one by itself, with the same
   * key.
   */
  times?: number
  /** The delay of `slow`, in milliseconds. */
  ms?: number
}

/** The faults that a test has chosen and that are still to come. */
export class Faults {
  private readonly chosen: Required<Fault>[] = []

  add(fault: Fault): void {
    this.chosen.push({ nth: 1, times: 1, ms: 1_000, ...fault })
  }

  clear(): void {
    this.chosen.splice(0)
  }

  /** Takes the fault that meets this request. */
  take(method: string, endpoint: string, path: string): Required<Fault> | undefined {
    const here = this.chosen.filter(
      one => one.method === method && (one.path === endpoint || one.path === path),
    )
    for (const one of here) one.nth -= 1
    const met = here.find(one => one.nth <= 0)
    if (!met) return undefined
    met.times -= 1
    if (met.times <= 0) this.chosen.splice(this.chosen.indexOf(met), 1)
    return met
  }
}
