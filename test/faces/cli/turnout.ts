import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { carryOut } from '#test/support/carry-out.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

export interface Outcome {
  code: number
  out: string
  err: string
}

/** Runs command lines on one empty data folder, in this process. */
export function commandLine(t: TestContext) {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const clock = testClock()

  /** Carries out a command line as it is. */
  async function turnout(...argv: string[]): Promise<Outcome> {
    const outcome = { code: 0, out: '', err: '' }
    outcome.code = await carryOut(argv, {
      out: text => {
        outcome.out += text
      },
      err: text => {
        outcome.err += text
      },
      clock,
    })
    return outcome
  }

  return {
    folder,
    data,
    clock,
    turnout,
    /** Carries it out on the data folder, and reads the document that it prints. */
    async json(...argv: string[]) {
      const { code, out, err } = await turnout(...argv, '--data', data, '--json')
      if (code !== 0) throw new Error(err)
      return JSON.parse(out)
    },
    /** Writes a file and gives its path. */
    write(name: string, content: string | Buffer | object): string {
      const path = join(folder, name)
      const isText = typeof content === 'string' || Buffer.isBuffer(content)
      writeFileSync(path, isText ? content : JSON.stringify(content))
      return path
    },
  }
}

/** Asserts that a command was refused in one sentence, and printed nothing else. */
export function assertRefused({ code, out, err }: Outcome, sentence: RegExp): void {
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, /^error: [^\n]+\n$/)
  assert.match(err, sentence)
}
