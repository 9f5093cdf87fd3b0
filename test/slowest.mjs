import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'

// These are reporters of the tests: one is the runner's own, and names the slowest tests before its closing lines; the other is for
// a terminal where another reporter shows the rest, and names the slowest alone. Both leave the files of failed tests where the
// environment says.

const MOST = 20

/** The slowest so far, the slowest first, each as a line. */
class Slowest {
  #found = []
  #failed = new Set()

  note({ type, data }) {
    if (data.nesting !== 0 || (type !== 'test:pass' && type !== 'test:fail')) return
    if (type === 'test:fail') this.#failed.add(data.file)
    this.#found.push({ name: data.name, ms: data.details.duration_ms })
    this.#found.sort((a, b) => b.ms - a.ms).splice(MOST)
  }

  leaveFailed() {
    const path = process.env.TURNOUT_TEST_FAILED
    if (path !== undefined) writeFileSync(path, JSON.stringify([...this.#failed]))
  }

  get lines() {
    return this.#found.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  }
}

/** The counts of the runner at the end begin with the number of tests. */
const isEnd = ({ type, data }) =>
  type === 'test:diagnostic' && data.nesting === 0 && /^tests \d+$/.test(data.message)

async function* withSlowest(events) {
  const slowest = new Slowest()
  for await (const event of events) {
    slowest.note(event)
    if (isEnd(event)) {
      for (const message of ['the slowest', ...slowest.lines])
        yield { type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } }
    }
    yield event
  }
  slowest.leaveFailed()
}

/** @returns {AsyncGenerator<string>} what stands on standard output, or where the environment says so the slowest alone */
export default async function* report(events) {
  if (process.env.TURNOUT_TEST_REPORT !== 'slowest') {
    yield* Readable.from(withSlowest(events)).pipe(new spec())
    return
  }
  const slowest = new Slowest()
  for await (const event of events) slowest.note(event)
  slowest.leaveFailed()
  yield `\nthe slowest\n${slowest.lines.join('\n')}\n`
}
