import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'

/** Watches who signs or verifies, the event loop itself or the thread, and how many tickets at once. */
export function watchCrypto(t: TestContext, name: 'sign' | 'verify') {
  const watched = { onLoop: 0, inThread: 0, most: 0, fails: false }
  const act = crypto[name] as (...args: unknown[]) => unknown
  t.mock.method(
    crypto as never,
    name as never,
    ((...args: unknown[]) => {
      watched.onLoop++
      return act(...args)
    }) as never,
  )
  const { postMessage } = Worker.prototype
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: unknown) {
    if (!Array.isArray(message)) return postMessage.call(this, message)
    const asked = message.filter(each => 'signature' in each === (name === 'verify'))
    watched.inThread += asked.length
    watched.most = Math.max(watched.most, asked.length)
    if (watched.fails) void this.terminate()
    else postMessage.call(this, message)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return watched
}
