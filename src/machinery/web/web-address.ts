import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { text } from '#base/fields.ts'

const MAX_WEB_ADDRESS = 2000

function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { username, password, hostname } = new URL(address)
  return username === '' && password === '' && hostname !== ''
}

/** Accepts the http or https address of a page to which people may be led. It is trimmed, and otherwise kept as it was given. */
export const webAddress = v.pipe(
  text(MAX_WEB_ADDRESS),
  v.trim(),
  v.check(isWebAddress, says('webAddress', { max: MAX_WEB_ADDRESS })),
)
