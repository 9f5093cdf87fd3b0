import { openLog } from '#base/log.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { StripeService } from '#product/selling/payments/stripe/stripe.ts'
import { openDatabase } from '../engine.ts'

// This process does once what is due of payments by Stripe. Its arguments are DATA, the address of Stripe, and the instant at which
// it stands.

const [data = '', api = '', at = ''] = process.argv.slice(2)
const clock = () => Number(at)
const baseUrl = 'https://tickets.example.org'
const db = await openDatabase(data, clock)
const { processor } = new StripeService({ db, clock, api, allowsTest: true, baseUrl })
await new Reconciler({
  ...{ db, clock, log: openLog('error', { write: line => process.stderr.write(line) }) },
  processors: new Map([['stripe', processor]]),
  server: { baseUrl, secret: 's' },
}).settle()
await db.close()
