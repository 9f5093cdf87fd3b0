import { explainMachine, explainNode, findMachine, type Target } from '#machinery/db/machine.ts'

/** The targets that the program is built for, as JSON. The bundle defines it. */
declare const BUILT_FOR: string | undefined

// The check runs at this import, the first of the program. Later imports may not even load on another machine.
const builtFor = typeof BUILT_FOR === 'string' ? (JSON.parse(BUILT_FOR) as Target[]) : undefined
const sentence = explainNode(process.versions.node) ?? explainMachine(findMachine(), builtFor)
if (sentence !== undefined) {
  process.stderr.write(`error: ${sentence}\n`)
  process.exit(1)
}
