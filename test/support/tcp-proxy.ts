import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A network between a client and a server of this machine, which can go away. */
export interface TcpProxy {
  port: number
  /** Drops all that is sent either way, without a word to either side. */
  drop(): void
  /** Drops everything from the moment at which a client sends these bytes, and them too. @returns a promise for that moment */
  dropAt(bytes: string): Promise<void>
  /** Carries what comes from now on. What was dropped is lost, so connections of before are cut. */
  restore(): void
  /** Cuts a connection once the server has been sent these bytes, before it can answer. Each call does so to one connection. */
  cutAfter(bytes: string): void
}

export async function startTcpProxy(t: Pick<TestContext, 'after'>, target: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isDropping = false
  let cut: string | undefined
  let dropping: { at: string; reached: () => void } | undefined
  const server = createServer(client => {
    const upstream = connectTo(target, '127.0.0.1')
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
      const isCut = cut !== undefined && chunk.includes(cut)
      if (isCut) {
        cut = undefined
        upstream.removeAllListeners('data')
        upstream.write(chunk, () => client.destroy())
        return
      }
      upstream.write(chunk)
    })
    upstream.on('data', chunk => {
      if (!isDropping) client.write(chunk)
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
    cutAfter: bytes => {
      cut = bytes
    },
  }
}
