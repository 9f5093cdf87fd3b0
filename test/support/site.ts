import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { clientAddressFinder } from '#machinery/http/client-address.ts'
import type { Face } from '#machinery/http/face.ts'
import type { RequestObserver } from '#machinery/http/observer.ts'
import { HttpServer } from '#machinery/http/server.ts'
import { buildSite } from '#machinery/http/site.ts'

/** Faces that a test makes for itself get these parts, beside those of the product. */
export interface FaceParts {
  clientAddress: ReturnType<typeof clientAddressFinder>
  addresses: AddressLimit
}

/** Serves faces on a real socket, and gives its address. */
export async function serveFaces(
  t: TestContext,
  { clock, log, observe }: { clock: Clock; log: Logger; observe?: RequestObserver },
  makeFaces: (parts: FaceParts) => Face[],
): Promise<string> {
  const clientAddress = clientAddressFinder([])
  const addresses = new AddressLimit({ clock, clientAddress })
  const http = new HttpServer(log)
  http.serve(buildSite({ log, addresses, observe }, makeFaces({ clientAddress, addresses })))
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  t.after(() => http.close())
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
}
