import { delimiter, dirname } from 'node:path'
import { findNode, handOver } from '../../bin/hand-over.js'

// Runs a program on the Node that npm has installed for this project, whatever Node has started this file: `node build/node/run.mjs
// build.mjs`. Programs that this one starts in its turn run on the same Node. Where the machine has none installed, they run on its
// own Node.

const node = findNode() ?? process.execPath
const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
handOver(node, process.argv.slice(2), {
  env: { ...process.env, PATH: path },
  onFailure: error => {
    process.stderr.write(`error: ${node} cannot be started (${error.message}).\n`)
    process.exit(1)
  },
})
