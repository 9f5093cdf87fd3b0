import type { Voice } from '#machinery/web/voice.ts'

/**
 * How much a finding matters: all is well; something could not be found out, or is worth knowing; it will hurt one day; it is broken
 * now.
 */
export type FindingLevel = 'ok' | 'info' | 'warning' | 'error'

/** What one look has found. */
export interface Finding {
  level: FindingLevel
  /** Scripts and search engines know it by this: lower case, with underscores. */
  code: string
  /** Returns what is so and, unless all is well, what to do: one or two sentences. */
  say: (voice: Voice) => string
}

export function finding(level: FindingLevel, code: string, say: Finding['say']): Finding {
  return { level, code, say }
}
