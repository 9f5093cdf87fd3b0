import { isatty } from 'node:tty'
import '#machinery/ops/built-for.ts'
import { explainCrash } from '#faces/cli/failure.ts'
import { run } from '#faces/cli/program.ts'
import type { Terminal } from '#faces/cli/terminal.ts'
import { writeCompletely } from '#machinery/files/write-completely.ts'

const STDOUT = 1

const terminal: Terminal = {
  // A terminal of Windows takes another encoding, which Node's stream converts to.
  out: isatty(STDOUT) ? text => process.stdout.write(text) : print,
  err: text => process.stderr.write(text),
  clock: Date.now,
}

process.on('uncaughtException', error => {
  terminal.err(`error: ${explainCrash(error)}\n`)
  process.exit(1)
})

// A library may write a warning to the console when nobody reads it any more or its disk is full. That must not end the process.
process.stderr.on('error', () => undefined)

run(process.argv.slice(2), terminal).then(code => {
  process.exitCode = code
})

function print(text: string): void {
  try {
    writeCompletely(STDOUT, text)
  } catch (error) {
    // The reader may have seen enough of the output, as `head` has.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
    throw error
  }
}
