import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Set by the runner: where each test process leaves what it has seen answered. */
const folder = process.env.TURNOUT_TEST_LEDGER
const seen = new Set<string>()

/** Notes that an operation answered with a status, such as `createCheckIn 409`. */
export function noteExercised(answer: string): void {
  seen.add(answer)
}

if (folder !== undefined) {
  process.on('exit', () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...seen]))
  })
}

/** Returns what all test processes have seen. */
export function readExercised(ledger: string): Set<string> {
  const files = readdirSync(ledger).map(name => readFileSync(join(ledger, name), 'utf8'))
  return new Set(files.flatMap(text => JSON.parse(text) as string[]))
}
