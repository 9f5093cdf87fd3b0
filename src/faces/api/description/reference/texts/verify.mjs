import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE = 300

/** Whether `header`, the SVC-Signature, is right for `body`: a Buffer of the bytes as they were received. */
export function isGenuine(secret, header, body, now = Date.now() / 1000) {
  const parts = (header ?? '').split(',').map(part => part.split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(t) || Math.abs(now - Number(t)) > TOLERANCE) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .some(([, value]) => timingSafeEqual(Buffer.from(value, 'hex'), expected))
}
