import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long a server is looked at before it counts as idle, in milliseconds. */
const LOOK = 1_000
/** The share of that time in which an idle server does something, at most. */
const IDLE = 0.05

/** For tests: what is looked at, and what collects. */
export interface StartMemoryOptions {
  /** Returns the share of the time since its last call in which the event loop did something. */
  busy?: () => number
  collect?: () => void
}

/**
 * Gives the memory back that the start of a server alone took: the text of the file of the program, and what was compiled and thrown
 * away, a fifth of all. V8 itself would keep it until the heap is half as large again, and that of an idle server never is. It takes
 * some 30 ms of the event loop, once, so it waits for a second in which hardly anybody asks for anything.
 *
 * @returns a function that ends the waiting
 */
export function giveBackWhenIdle({
  busy = openMeter(),
  collect = collectAll,
}: StartMemoryOptions = {}): () => void {
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => (busy() > IDLE ? wait() : collect()), LOOK)
    timer.unref()
  }
  wait()
  return () => clearTimeout(timer)
}

function openMeter(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/** Of all collections this one alone gives pages back. Its function is there for those contexts alone that begin with the flag. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}
