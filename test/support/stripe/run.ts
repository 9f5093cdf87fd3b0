import { parseArgs } from 'node:util'
import { machineClock, movableClock } from './clock.ts'
import { serveControl } from './remote.ts'
import { StripeStandIn } from './stand-in.ts'

/*
 * The stand-in as a process of its own:
 *   node --import tsx test/support/stripe/run.ts --port 12111 --control 12112 --latency 300 --rate 25
 *     --key rk_test_organizer0001 --account acct_one
 * Prints a line of JSON when it is ready. Its clock goes with the machine's, or stands at `--clock` until it is moved.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    control: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    rate: { type: 'string', default: '0' },
    key: { type: 'string', multiple: true, default: [] },
    account: { type: 'string', default: 'acct_one' },
    clock: { type: 'string' },
    attached: { type: 'boolean', default: false },
  },
})

const standIn = await StripeStandIn.start({
  clock: values.clock === undefined ? machineClock() : movableClock(values.clock),
  port: Number(values.port),
  latency: Number(values.latency),
  rate: Number(values.rate),
})
for (const key of values.key) await standIn.addKey(key, { account: values.account })
const control = await serveControl(standIn, Number(values.control))
process.stdout.write(`${JSON.stringify({ url: standIn.origin, control: control.url, pid: process.pid })}\n`)

// Sessions end by the clock though nobody asks; each look is cheap.
const ticking = setInterval(() => standIn.advance(0).catch(() => undefined), 1_000)
function end(): void {
  clearInterval(ticking)
  control.close()
  standIn.stop().then(() => process.exit(0))
}
process.on('SIGTERM', end)
// The process that started it may be killed, and must not leave it behind.
if (values.attached) process.stdin.on('end', end).resume()
