import type { IncomingMessage } from 'node:http'
import { SECOND } from '#base/time.ts'

/** The most bytes whose time a client can save up by sending fast. */
const MAX_SAVED = 1024 * 1024
const CHECK_EVERY = SECOND

/** Bytes a second, of the requests whose bodies may take longer than others. */
const rates = new WeakMap<IncomingMessage, number>()

/**
 * Lets a body take longer than the server allows for any request, as long as it comes in at this rate.
 *
 * @param rate bytes a second
 */
export function setBodyRate(request: IncomingMessage, rate: number): void {
  rates.set(request, rate)
}

/**
 * The event for whoever receives a body that has become too slow, and who then answers. Without a listener, the server answers.
 */
export const TOO_SLOW = Symbol('too slow')

/**
 * Goes on with a request whose time is over, if its body may take longer. A body that stalls or drips is too slow after a moment.
 *
 * @param isOver tells whether nobody waits for the body any more
 * @param refuse ends a request that is too slow, or over
 * @returns false if the request has no more time than any other
 */
export function giveMoreTime(request: IncomingMessage, isOver: () => boolean, refuse: () => void): boolean {
  const rate = rates.get(request)
  if (rate === undefined) return false
  const { socket } = request
  let seen = 0
  /** The milliseconds that the body may still take without another byte. */
  let left = 0
  const note = () => {
    left = Math.min(left + ((socket.bytesRead - seen) / rate) * SECOND, (MAX_SAVED / rate) * SECOND)
    seen = socket.bytesRead
  }
  note()
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    note()
    left -= CHECK_EVERY
    if (left > 0 && !isOver()) return
    clearInterval(timer)
    if (isOver() || !request.emit(TOO_SLOW)) refuse()
    // The client has a moment to read its answer. Then the connection ends, even if more of the body is still to come.
    else setTimeout(() => request.complete || refuse(), CHECK_EVERY).unref()
  }, CHECK_EVERY)
  timer.unref()
  return true
}
