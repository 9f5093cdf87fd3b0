import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { linesOf } from '#machinery/files/lines.ts'
import { readOrganization } from '#product/data-care/organization/read.ts'
import { worstBodies, worstValues } from '#test/faces/api/worst-input.ts'
import { everything } from '#test/support/every-row.ts'
import { threadTime } from '#test/support/processor-time.ts'

/**
 * Commands read these files in a process of their own, which nobody waits for but who started it: what it takes may be no more than a few
 * times as much where the file is four times as long, and then again: the processor's cache is left behind once.
 */
const SIZES = [48 * 1024, 192 * 1024, 768 * 1024] as const
/**
 * Work that grows with the square would take 16 times as long each time. Short times are not compared, because they vary by
 * milliseconds.
 */
const MOST_TIMES = 10
const LITTLE = 30
const ENOUGH = 100
const MOST_RUNS = 20

const MARK = '\u0000'

/** The file with a mark instead of each of its values in turn. */
function* marked(node: unknown, put: (marked: unknown) => unknown = one => one): Generator<[string, string]> {
  yield JSON.stringify(put(MARK)).split(JSON.stringify(MARK)) as [string, string]
  if (typeof node !== 'object' || node === null) return
  for (const [name, value] of Object.entries(node)) {
    const putInto = (one: unknown) =>
      put(Array.isArray(node) ? node.with(Number(name), one) : { ...node, [name]: one })
    yield* marked(value, putInto)
  }
}

/**
 * Returns the milliseconds of one call, over as many calls as take `ENOUGH` together: some machines measure processor time in steps
 * of some milliseconds.
 */
async function timeOf(work: () => unknown): Promise<number> {
  const began = threadTime()
  let times = 0
  let taken = 0
  do {
    await work()
    times++
    taken = threadTime() - began
  } while (taken < ENOUGH && times < MOST_RUNS)
  return taken / times
}

function read(bytes: Buffer): void {
  try {
    readOrganization(bytes)
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
  }
}

async function assertLinear(what: string, workOf: (size: number) => () => unknown): Promise<void> {
  const [small, large, largest] = SIZES
  const began = threadTime()
  await workOf(large)()
  if (threadTime() - began <= LITTLE) return
  let long = await timeOf(workOf(large))
  const short = await timeOf(workOf(small))
  const most = MOST_TIMES * Math.max(short, LITTLE / 4)
  if (long >= most) long = await timeOf(workOf(large))
  if (long < most) return
  const longest = await timeOf(workOf(largest))
  assert.ok(
    longest < MOST_TIMES * long,
    `${what}: ${[short, long, longest].map(time => time.toFixed(0)).join(', then ')} ms`,
  )
}

test('an organization file takes no more than its length, whatever stands in whichever place', {
  timeout: 600_000,
}, async t => {
  const places = [...marked(everything())]
  for (const [kind, make] of Object.entries(worstValues)) {
    for (const [start, end] of places)
      await assertLinear(`${kind} behind ${start.slice(-60)}`, size => {
        const bytes = Buffer.from(start + make(size) + end)
        return () => read(bytes)
      })
  }
  for (const [kind, make] of Object.entries(worstBodies))
    await assertLinear(kind, size => {
      const bytes = Buffer.from(make(size))
      return () => read(bytes)
    })
  t.diagnostic(`${places.length} places`)
})

test('the lines of a file of scans take no more than its length', async () => {
  for (const unit of ['a', '\n', '\r\n', 'a\n', '\u0000', `${'a'.repeat(5_000)}\n`]) {
    await assertLinear(JSON.stringify(unit.slice(0, 5)), size => async () => {
      const bytes = Buffer.from(unit.repeat(size / unit.length))
      const pieces = Array.from({ length: Math.ceil(size / 65_536) }, (_, at) =>
        bytes.subarray(at * 65_536, (at + 1) * 65_536),
      )
      for await (const _ of linesOf(Readable.from(pieces), 4_000));
    })
  }
})
