import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { argumentsFor } from '../program.ts'
import { type RemoteStandIn, remoteStandIn } from './remote.ts'

export interface StripeProcess {
  /** The base address of its API. */
  origin: string
  /** The methods of the stand-in, called across. */
  remote: RemoteStandIn
  pid: number
}

/** Starts a stand-in in a process of its own, which outlives whatever a test does to the server; it ends with the test. */
export async function startStripeProcess(
  t: Pick<TestContext, 'after'>,
  ...flags: string[]
): Promise<StripeProcess> {
  const child = spawn(
    process.execPath,
    [...argumentsFor('test/support/stripe/run.ts'), '--attached', ...flags],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  t.after(() => {
    child.kill('SIGKILL')
  })
  const lines = createInterface({ input: child.stdout })
  const ready = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', code => reject(new Error(`the stand-in ended with ${code} before it was ready`)))
  })
  const { url, control, pid } = JSON.parse(ready) as { url: string; control: string; pid: number }
  return { origin: url, remote: remoteStandIn(control), pid }
}
