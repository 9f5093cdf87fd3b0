import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StripeStandIn } from './stand-in.ts'

/** The methods of a stand-in that runs in another process. */
export type RemoteStandIn = {
  [K in keyof StripeStandIn]: StripeStandIn[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<R>
    : never
} & { origin: never }

const MOST_BYTES = 10_000_000

/** Offers the methods of a stand-in as JSON, at a port of its own: it answers while the stand-in is down. */
export async function serveControl(
  standIn: StripeStandIn,
  port = 0,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      callMethod(standIn, Buffer.concat(chunks).toString()).then(
        result => response.end(JSON.stringify({ result: result ?? null })),
        (error: unknown) => {
          response.statusCode = 400
          response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
        },
      )
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function callMethod(standIn: StripeStandIn, body: string): Promise<unknown> {
  if (body.length > MOST_BYTES) throw new Error('too long')
  const { method, args } = JSON.parse(body) as { method: string; args: unknown[] }
  const found: unknown = Object.hasOwn(Object.getPrototypeOf(standIn), method)
    ? Reflect.get(standIn, method)
    : undefined
  if (typeof found !== 'function') throw new Error(`the stand-in has no ${method}`)
  return await found.apply(standIn, args)
}

/** Calls the methods of the stand-in whose control is at an address. */
export function remoteStandIn(control: string): RemoteStandIn {
  const call = async (method: string, args: unknown[]): Promise<unknown> => {
    const answer = await fetch(control, {
      method: 'POST',
      signal: AbortSignal.timeout(30_000),
      body: JSON.stringify({ method, args }),
    })
    const { result, error } = (await answer.json()) as { result: unknown; error?: string }
    if (error !== undefined) throw new Error(error)
    return result
  }
  return new Proxy({} as RemoteStandIn, {
    get: (_target, method) =>
      // A promise that resolves with this object must not take it for another promise.
      typeof method === 'string' && method !== 'then'
        ? (...args: unknown[]) => call(method, args)
        : undefined,
  })
}
