/** A formula in TeX, without what stands around it in a text. */
export interface Formula {
  tex: string
  /** Whether it stands on a line of its own. */
  isBlock: boolean
}

/** What the thread is asked for: the formulas of a text. */
export interface FormulaTask {
  number: number
  formulas: readonly Formula[]
}

/** What the thread says: that it has begun, a formula as JSON or null if there is none to show, or that a task is done. */
export type FormulaMessage =
  | { ready: true }
  | { number: number; at: number; tree: string | null }
  | { number: number; done: true }
