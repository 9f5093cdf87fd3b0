import type { en } from './en/index.ts'

/** Everything that pages say, in one language. What one of them lacks is a type error. */
export type Texts = typeof en
