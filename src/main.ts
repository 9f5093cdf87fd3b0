import './ops/built-for.ts'
import { explainCrash } from './cli/failure.ts'
import { run } from './cli/program.ts'
import type { Terminal } from './cli/terminal.ts'

const terminal: Terminal = {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  clock: Date.now,
}

process.on('uncaughtException', error => {
  terminal.err(`error: ${explainCrash(error)}\n`)
  process.exit(1)
})

// A library may warn on the console, whose reader may be gone or its disk full: that ends nothing.
process.stderr.on('error', () => undefined)

// Who reads the output may have seen enough of it, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

run(process.argv.slice(2), terminal).then(code => {
  process.exitCode = code
})
