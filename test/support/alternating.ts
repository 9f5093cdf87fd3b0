import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** Stands before several servers, and sends each request to the next of them: no browser stays at one. */
export async function startAlternating(t: Pick<TestContext, 'after'>) {
  const origins: string[] = []
  /** How many requests each server has got. */
  const counts: number[] = []
  let next = 0
  const server = createServer((incoming, answer) => {
    const at = next++ % origins.length
    counts[at] = (counts[at] ?? 0) + 1
    const { method, url = '/', headers } = incoming
    const sent = request(origins[at] + url, { method, headers, agent: false }, got => {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    sent.on('error', () => answer.destroy())
    incoming.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    leadTo: (...all: string[]) => origins.push(...all),
  }
}
