import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from './client.ts'
import { temporaryFolder } from './folder.ts'
import { isShortStop, LONGEST_STOP, TRIES } from './processor-time.ts'
import { startServerProcess } from './server-process.ts'

/** A data folder, and an event of the account of the key. */
export interface Prepared {
  data: string
  key: string
  eventId: string
}

/** Milliseconds longer before each try. */
const PAUSE = 20

/**
 * Starts a server in a process of its own, whose event loop is watched from within while requests are made of it.
 *
 * @param prepare makes its data folder
 * @param flags of `serve`
 */
export async function startWatchedServer<Folder extends Prepared>(
  t: TestContext,
  prepare: (t: TestContext) => Promise<Folder>,
  flags: readonly string[] = [],
) {
  const folder = await prepare(t)
  const path = join(temporaryFolder(t), 'watch')
  const server = await startServerProcess(t, folder.data, {
    flags: ['--trust-proxy', '127.0.0.1', ...flags],
    imports: ['test/support/loop-watch.ts'],
    env: { LOOP_WATCH: path },
  })
  const watch = connect(path).setEncoding('utf8')
  const client = new Client(server.url, folder.key, 1)
  const reader = new Client(server.url, folder.key, 1)
  t.after(async () => {
    watch.destroy()
    await Promise.all([client.close(), reader.close()])
  })

  async function longestStop(): Promise<number> {
    watch.write('?')
    const [text] = await once(watch, 'data')
    return Number(text)
  }

  let requests = 0
  let longest = { stop: 0, what: 'nothing' }
  const tooLong: string[] = []

  /**
   * Makes a request while another client reads, and notes how long the server stopped for it.
   *
   * @param send is given an address for X-Forwarded-For that nobody else has, since addresses are counted
   * @param isReported false for several at once, each of which is measured by itself where they took too long
   * @returns false when the stop was too long
   */
  async function measure(
    what: string,
    send: (address: string) => Promise<unknown>,
    isReported = true,
  ): Promise<boolean> {
    let shortest = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < TRIES && shortest >= LONGEST_STOP; attempt++) {
      if (attempt > 0) await sleep(attempt * PAUSE)
      requests++
      await longestStop()
      const sent = send(`10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`)
      const [read] = await Promise.all([reader.get(`/events/${folder.eventId}`), sent])
      assert.equal(read.status, 200)
      shortest = Math.min(shortest, await longestStop())
    }
    const isShort = isShortStop(shortest)
    if (shortest > longest.stop && (isReported || isShort)) longest = { stop: shortest, what }
    if (isReported && !isShort) tooLong.push(`${shortest.toFixed(0)} ms: ${what}`)
    return isShort
  }

  /** Fails when any stop was too long. */
  function report(): void {
    t.diagnostic(`${requests} requests; the longest stop, ${longest.stop.toFixed(1)} ms, was ${longest.what}`)
    assert.deepEqual(tooLong, [])
  }

  return { ...folder, url: server.url, client, measure, report }
}
