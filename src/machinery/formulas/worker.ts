import { parentPort } from 'node:worker_threads'
import { giveWay } from '#machinery/threads/give-way.ts'
import type { FormulaMessage, FormulaTask } from './formula-task.ts'
import { fromTex } from './from-tex.ts'

// This script runs in a thread of its own. It makes MathML of formulas in TeX.
giveWay()

const say = (message: FormulaMessage) => parentPort?.postMessage(message)

parentPort?.on('message', ({ number, formulas }: FormulaTask) => {
  for (const [at, formula] of formulas.entries()) {
    const tree = fromTex(formula)
    say({ number, at, tree: tree === undefined ? null : JSON.stringify(tree) })
  }
  say({ number, done: true })
})

say({ ready: true })
