import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Each process of tests loads this before anything else. What scrypt makes of the same password, salt and cost is always the same,
// and takes a processor 200 ms by design: the same people sign in with the same password in some hundred tests. Another password,
// salt or cost is worked out.

const { scrypt } = crypto
/** What was worked out, by all that it depends on. */
const known = new Map()

crypto.scrypt = (password, salt, length, options, done) => {
  const key = JSON.stringify([String(password), Buffer.from(salt).toString('hex'), length, options])
  const found = known.get(key)
  if (found !== undefined) {
    setImmediate(done, null, Buffer.from(found))
    return
  }
  scrypt(password, salt, length, options, (error, made) => {
    if (error === null) known.set(key, Buffer.from(made))
    done(error, made)
  })
}
syncBuiltinESMExports()
