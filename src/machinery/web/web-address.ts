import * as v from 'valibot'
import { says } from '../faults.ts'
import { text } from '../fields.ts'

const MAX_WEB_ADDRESS = 2000

function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { username, password, hostname } = new URL(address)
  return username === '' && password === '' && hostname !== ''
}

/** A page that people may be led to: http or https. Trimmed, otherwise kept as it was given. */
export const webAddress = v.pipe(
  text(MAX_WEB_ADDRESS),
  v.trim(),
  v.check(isWebAddress, says('webAddress', { max: MAX_WEB_ADDRESS })),
)
