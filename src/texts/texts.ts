import type { en } from './en/index.ts'

/** All texts of the pages in one language. A text that a language lacks is a type error. */
export type Texts = typeof en
