import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

/** A network between a client and a server of this machine, which can go away. */
export interface TcpProxy {
  port: number
  /** Drops all that is sent either way, without a word to either side. */
  drop(): void
  /** Drops everything from the moment at which a client sends these bytes, and them too. @returns a promise for that moment */
  dropAt(bytes: string): Promise<void>
  /** Carries what comes from now on. What was dropped is lost, so connections of before are cut. */
  restore(): void
  /** Cuts a connection when the server answers with these bytes, before they arrive. Each call does so to one connection. */
  cutAt(bytes: string): void
  /** Holds each answer back for so many milliseconds from now on. */
  delay(milliseconds: number): void
  /** Has those who connect from now on reach another port, and cuts the others. */
  lead(port: number): void
}

export async function startTcpProxy(t: Pick<TestContext, 'after'>, target: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let port = target
  let held = 0
  let isDropping = false
  let cut: string | undefined
  let dropping: { at: string; reached: () => void } | undefined
  const server = createServer(client => {
    const upstream = connectTo(port, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    const end = () => {
      // A dropped network tells nobody.
      if (isDropping) return
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const side of pair) side.on('error', () => undefined).on('close', end)
    client.on('data', chunk => {
      if (dropping !== undefined && chunk.includes(dropping.at)) {
        isDropping = true
        dropping.reached()
        dropping = undefined
      }
      if (isDropping) return
      upstream.write(chunk)
    })
    // What comes later never overtakes what was held back: timers that end together run in any order, so each has its turn behind the last.
    let last = Promise.resolve()
    let waiting = 0
    upstream.on('data', chunk => {
      if (isDropping) return
      if (cut !== undefined && chunk.includes(cut)) {
        cut = undefined
        client.destroy()
        return
      }
      if (held === 0 && waiting === 0) {
        client.write(chunk)
        return
      }
      waiting++
      const until = performance.now() + held
      last = last.then(async () => {
        await pause(Math.max(0, until - performance.now()))
        waiting--
        client.write(chunk)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const [client, upstream] of pairs) {
      client.destroy()
      upstream.destroy()
    }
  }
  t.after(() => {
    server.close()
    destroyAll()
  })
  return {
    port: (server.address() as AddressInfo).port,
    drop: () => {
      isDropping = true
    },
    dropAt: at =>
      new Promise(reached => {
        dropping = { at, reached }
      }),
    restore: () => {
      destroyAll()
      isDropping = false
    },
    cutAt: bytes => {
      cut = bytes
    },
    delay: milliseconds => {
      held = milliseconds
    },
    lead: other => {
      port = other
      destroyAll()
    },
  }
}
