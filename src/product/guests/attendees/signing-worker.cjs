// This runs in a thread of its own and signs the heads of tickets.
const { createPrivateKey, sign } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

/** The event loop keeps as many keys, because parsing a key costs as much as a signature. */
const KEPT_KEYS = 1000
const keys = new Map()

function parse({ private_key: d, public_key: x }) {
  let key = keys.get(d)
  if (key === undefined) {
    key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } })
    if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value)
    keys.set(d, key)
  }
  return key
}

/**
 * @param {import('./signing-thread.ts').Unsigned} ticket
 * @returns {import('./signing-thread.ts').Signature}
 */
function signTicket(ticket) {
  try {
    return sign(null, Buffer.from(ticket.head, 'latin1'), parse(ticket)).toString('latin1')
  } catch {
    return null
  }
}

parentPort?.on('message', tickets => parentPort.postMessage(tickets.map(signTicket)))
