import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** This process takes webhooks, and answers its parent with their number. */
let received = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received++
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ received }))
process.on('disconnect', () => process.exit())
