/** A share of the turns, with the shares that it consists of. The innermost shares have the jobs. */
interface Share<Job> {
  /** The number of jobs in it and in its inner shares. */
  size: number
  readonly shares: Map<string, Share<Job>>
  readonly jobs: Job[]
}

/**
 * Waiting jobs in shares of shares. A share is served in turn with its neighbours, however many jobs each has brought. Within an
 * innermost share, the oldest job comes first.
 */
export class FairQueue<Job> {
  /** The shares are in the order of their turns. One that was served goes to the end. */
  readonly #all: Share<Job> = emptyShare()

  add(path: readonly string[], job: Job): void {
    let share = this.#all
    share.size++
    for (const name of path) {
      let next = share.shares.get(name)
      if (next === undefined) {
        next = emptyShare()
        share.shares.set(name, next)
      }
      next.size++
      share = next
    }
    share.jobs.push(job)
  }

  /** Takes the job whose turn it is, or undefined if none waits. */
  take(): Job | undefined {
    let share = this.#all
    if (share.size === 0) return undefined
    share.size--
    while (share.jobs.length === 0) {
      const [name, next] = share.shares.entries().next().value as [string, Share<Job>]
      share.shares.delete(name)
      next.size--
      if (next.size > 0) share.shares.set(name, next)
      share = next
    }
    return share.jobs.shift()
  }

  /** Takes back a waiting job. It has no effect for any other. */
  remove(path: readonly string[], job: Job): void {
    const shares = [this.#all]
    for (const name of path) {
      const next = shares.at(-1)?.shares.get(name)
      if (next === undefined) return
      shares.push(next)
    }
    const jobs = shares.at(-1)?.jobs as Job[]
    const at = jobs.indexOf(job)
    if (at < 0) return
    jobs.splice(at, 1)
    for (const [depth, share] of shares.entries()) {
      share.size--
      if (share.size === 0 && depth > 0) shares[depth - 1]?.shares.delete(path[depth - 1] as string)
    }
  }

  /** Returns how many jobs wait in a share, or in all. */
  sizeOf(path: readonly string[]): number {
    let share: Share<Job> | undefined = this.#all
    for (const name of path) share = share?.shares.get(name)
    return share?.size ?? 0
  }
}

function emptyShare<Job>(): Share<Job> {
  return { size: 0, shares: new Map(), jobs: [] }
}
