import { createHmac } from 'node:crypto'
import { SECOND } from '#base/time.ts'

/**
 * Returns the value of `SVC-Signature`: `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 over `<t>.<raw body>` (specification
 * section 6). While a secret is being rotated, there is one v1 for each secret.
 *
 * @param instant in milliseconds
 */
export function signWebhook(secrets: readonly string[], instant: number, body: string): string {
  const t = Math.floor(instant / SECOND)
  const signatures = secrets.map(
    secret => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  )
  return [`t=${t}`, ...signatures].join(',')
}
