import assert from 'node:assert/strict'
import { Problem } from '#base/problem.ts'

/**
 * Waits for a file to be refused.
 *
 * @returns the key of its fault, followed by the format that was recognized instead, and the line that has it
 */
export async function refusalOf(reading: Promise<unknown>): Promise<[key: string, line: number | undefined]> {
  try {
    await reading
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.code, error.param], ['invalid_parameter', 'file'])
    const { fault, line } = error.details as {
      fault: { key: string; parameters?: { format?: string } }
      line?: number
    }
    return [[fault.key, fault.parameters?.format].filter(Boolean).join(' '), line]
  }
  assert.fail('It was read.')
}
