// This runs in a thread of its own. It signs the heads of tickets, and verifies their signatures.
const { createPrivateKey, createPublicKey, sign, verify } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

/** The event loop keeps as many keys, because parsing a key costs as much as a signature. */
const KEPT_KEYS = 1000
const keys = new Map()

/** @param text the key itself, by which it is kept @param parse makes it */
function keep(text, parse) {
  let key = keys.get(text)
  if (key === undefined) {
    key = parse()
    if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value)
    keys.set(text, key)
  }
  return key
}

function jwkOf({ private_key: d, public_key: x }) {
  return { format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, ...(d === undefined ? {} : { d }) } }
}

/**
 * @param {import('./signing-thread.ts').Unsigned | import('./signing-thread.ts').Unverified} ticket
 * @returns {import('./signing-thread.ts').Answer}
 */
function answer(ticket) {
  const head = Buffer.from(ticket.head, 'latin1')
  try {
    if ('signature' in ticket) {
      const key = keep(ticket.public_key, () => createPublicKey(jwkOf(ticket)))
      return verify(null, head, key, Buffer.from(ticket.signature, 'latin1'))
    }
    const key = keep(ticket.private_key, () => createPrivateKey(jwkOf(ticket)))
    return sign(null, head, key).toString('latin1')
  } catch {
    return null
  }
}

parentPort?.on('message', tickets => parentPort.postMessage(tickets.map(answer)))
