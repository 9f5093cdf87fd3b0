import { delimiter, dirname } from 'node:path'
import { findNode, handOver } from '../../bin/hand-over.js'

// Runs what its arguments say on the Node that npm has installed for this project, whatever Node has started it, and so does what
// that starts in its turn: `node build/node/run.mjs build.mjs`. Where the machine has none, on its own.

const node = findNode() ?? process.execPath
const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
handOver(node, process.argv.slice(2), {
  env: { ...process.env, PATH: path },
  onFailure: error => {
    process.stderr.write(`error: ${node} cannot be started (${error.message}).\n`)
    process.exit(1)
  },
})
