import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { test } from 'node:test'
import { Connections } from '#machinery/http/connections.ts'

/** A machine has few addresses of its own, so the sockets of this one are made up. */
function acceptFrom(addresses: readonly string[]): number {
  const server = new EventEmitter()
  const connections = new Connections(server as Server)
  for (const remoteAddress of addresses) {
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy: () => undefined }))
  }
  return connections.open
}

test('a host that has a whole network of IPv6 addresses gets the connections of one', () => {
  const own = Array.from({ length: 1_500 }, (_, at) => `2001:db8:1:2::${at.toString(16)}`)
  assert.equal(acceptFrom(own), 1_000)
  assert.equal(acceptFrom([...own, '2001:db8:1:3::1', '192.0.2.1']), 1_002)
})

test('IPv4 addresses are counted one by one, also where they are written as IPv6', () => {
  const others = Array.from({ length: 1_500 }, (_, at) => `::ffff:10.0.${at >> 8}.${at & 255}`)
  assert.equal(acceptFrom(others), 1_500)
})
